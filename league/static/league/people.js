// A list of people to tick (league/pages/people_list.py). Ticks last while a search, the next rows or a change of the page
// replace the rows; ticked people who aren't on the page are sent as hidden fields. While someone is ticked, the bar of
// actions replaces the five places. A list may also be part of a form of its page; then it has no bar.
(() => {
  "use strict";

  const ticksOf = new WeakMap(); // {form: its list and the ticked ids}

  const list = () => document.getElementById("people-list");
  const form = () => document.getElementById(list()?.dataset.form);
  const boxes = () => [...list().querySelectorAll(".box [name]")];

  // The ids that are ticked. A list that is new here brings those that the server has ticked.
  function ticked() {
    const { source, field } = list().dataset;
    if (ticksOf.get(form())?.source !== source) {
      ticksOf.set(form(), { source, ids: new Set(before(source) ?? new FormData(form()).getAll(field)) });
    }
    return ticksOf.get(form()).ids;
  }

  // The ticks of a part of a form, if the browser went back to its page. A list with a bar shows what the server says.
  function before(source) {
    if (form().matches(".bulk") || performance.getEntriesByType("navigation")[0]?.type !== "back_forward") return null;
    const { ticks } = history.state ?? {};
    return ticks?.source === source ? ticks.ids : null;
  }

  function remember(ids) {
    const { source } = list().dataset;
    if (!form().matches(".bulk")) history.replaceState({ ...history.state, ticks: { source, ids: [...ids] } }, "");
  }

  function show() {
    if (!form()) return;
    const ids = ticked();
    const there = boxes();
    for (const box of there) box.checked = ids.has(box.value);
    const all = list().querySelector("[data-page]");
    if (all) {
      all.hidden = false;
      all.checked = there.length > 0 && there.every((box) => box.checked);
      all.indeterminate = !all.checked && there.some((box) => box.checked);
    }
    away(ids, there);
    if (form().matches(".bulk")) showBar(form(), ids.size);
  }

  function showBar(bar, count) {
    const words = bar.querySelector("[data-one]");
    const { one, many } = words.dataset;
    if (count) words.textContent = count === 1 ? one : many.replace("{count}", count);
    bar.dataset.on = count ? "yes" : "no";
    bar.querySelector("[data-clear]").hidden = false;
    const more = bar.querySelector("details");
    if (more && !count) more.open = false;
  }

  // Hidden fields for those who are ticked and not on the page.
  function away(ids, there) {
    const { field } = list().dataset;
    for (const old of form().elements) if (old.type === "hidden" && old.name === field) old.dataset.old = "";
    for (const old of document.querySelectorAll("[data-old]")) old.remove();
    const shown = new Set(there.map((box) => box.value));
    for (const id of ids) {
      if (shown.has(id)) continue;
      const input = document.createElement("input");
      Object.assign(input, { type: "hidden", name: field, value: id });
      form().append(input);
    }
  }

  document.addEventListener("change", ({ target }) => {
    if (!form() || !list().contains(target) || !target.matches(".box input")) return;
    const ids = ticked();
    for (const box of boxes()) { // all of them: a form that is filled in again changes many, and tells one by one
      if ("page" in target.dataset ? target.checked : box.checked) ids.add(box.value);
      else ids.delete(box.value);
    }
    remember(ids);
    show();
  }, true);

  document.addEventListener("click", (event) => {
    if (!form()) return;
    if (event.target.closest("[data-clear]")) {
      ticked().clear();
      show();
    }
    const more = form().querySelector(".bulk-more[open]");
    if (more && !more.contains(event.target)) more.open = false;
  });

  let rows = 0; // before others came
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    rows = detail.target.id === "people-list" ? boxes().length : 0;
  });
  // At once: live.js takes over no page that was asked for at another address.
  document.addEventListener("htmx:afterSwap", ({ detail }) => {
    const address = detail.target.id === "people-list" && list()?.dataset.address;
    if (address) window.wild.readdress(address);
  });
  // htmx puts attributes back as they came when it settles.
  for (const name of ["htmx:afterSwap", "htmx:afterSettle", "htmx:load", "wild:page"]) document.addEventListener(name, show);
  // A page that is loaded again, by its reader or as it changes by itself, is what it shows now. The keyboard goes on at
  // the first of the next rows.
  document.addEventListener("htmx:afterSettle", ({ detail }) => {
    if (detail.target.id !== "people-list") return;
    const first = boxes()[rows];
    if (detail.requestConfig?.elt.id === "people-next" && first) first.focus({ preventScroll: true });
  });
  window.addEventListener("pageshow", () => {
    show();
    // What the page counts is of the ticks that the server knew.
    if (form() && before(list().dataset.source)) form().dispatchEvent(new Event("change", { bubbles: true }));
  });
})();
