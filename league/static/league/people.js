// A list of people to tick (templates/components/people.html). Ticks are kept while a search, the next rows or a change of
// the page put other rows there; those who are not on the page go along as hidden fields. While someone is ticked the bar
// for all of them takes the place of the five places.
(() => {
  "use strict";

  const ticks = new WeakMap(); // of each form of ticks: the ids

  const form = () => document.getElementById("people-bulk");
  const boxes = () => [...document.querySelectorAll(".people input[name=who]")];

  // The ids that are ticked. A form that is new here brings those that the server has ticked.
  function ticked() {
    const bulk = form();
    if (!ticks.has(bulk)) {
      ticks.set(bulk, new Set(new FormData(bulk).getAll("who")));
      bulk.querySelector("[data-clear]").hidden = false;
    }
    return ticks.get(bulk);
  }

  function show() {
    const bulk = form();
    if (!bulk) return;
    const ids = ticked();
    const there = boxes();
    for (const box of there) box.checked = ids.has(box.value);
    const all = document.querySelector(".people [data-page]");
    if (all) {
      all.hidden = false;
      all.checked = there.length > 0 && there.every((box) => box.checked);
      all.indeterminate = !all.checked && there.some((box) => box.checked);
    }
    const words = bulk.querySelector("[data-one]");
    const { one, many } = words.dataset;
    if (ids.size) words.textContent = ids.size === 1 ? one : many.replace("{count}", ids.size);
    bulk.dataset.on = ids.size ? "yes" : "no";
    const more = bulk.querySelector("details");
    if (more && !ids.size) more.open = false;
    away(bulk, ids, there);
  }

  // Hidden fields for those who are ticked and not on the page.
  function away(bulk, ids, there) {
    for (const field of bulk.querySelectorAll("input[type=hidden][name=who]")) field.remove();
    const shown = new Set(there.map((box) => box.value));
    for (const id of ids) {
      if (shown.has(id)) continue;
      const field = document.createElement("input");
      Object.assign(field, { type: "hidden", name: "who", value: id });
      bulk.append(field);
    }
  }

  document.addEventListener("change", ({ target }) => {
    if (!form() || !target.matches?.(".people .box input")) return;
    const ids = ticked();
    for (const box of "page" in target.dataset ? boxes() : [target]) {
      if (target.checked) ids.add(box.value);
      else ids.delete(box.value);
    }
    show();
  });

  document.addEventListener("click", (event) => {
    const bulk = form();
    if (!bulk) return;
    if (event.target.closest("[data-clear]")) {
      ticked().clear();
      show();
    }
    const more = bulk.querySelector("details[open]");
    if (more && !more.contains(event.target)) more.open = false;
  });

  // Where a search left someone who is ticked out, or brought them back.
  let rows = 0;
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    rows = detail.target.id === "people-list" ? boxes().length : 0;
  });
  for (const name of ["htmx:afterSwap", "htmx:load", "wild:page"]) document.addEventListener(name, show);
  // A page that is loaded again, by its reader or as it changes by itself, is what it shows now. The keyboard goes on at
  // the first of the next rows.
  document.addEventListener("htmx:afterSettle", ({ detail }) => {
    if (detail.target.id !== "people-list") return;
    window.wild.readdress(document.getElementById("people-list").dataset.address);
    const first = boxes()[rows];
    if (detail.requestConfig?.elt.id === "people-next" && first) first.focus({ preventScroll: true });
  });
  window.addEventListener("pageshow", show);
})();
