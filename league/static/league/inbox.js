// The inbox on Now (templates/league/setup/_inbox.html). A handled item stays in its place for a moment, with its message
// and Undo. A new item appears only at the top of the page; further down a line on top names it, so that
// nothing moves under a thumb. Ages count on.
(() => {
  "use strict";

  const STAYS = 5000, AGAIN = 500, TICK = 15000; // milliseconds
  const TOP = 8; // pixels
  const POINTED = matchMedia("(hover: hover)").matches ? ":hover" : ":active"; // a finger leaves :hover where it was

  const box = () => document.getElementById("inbox");
  const list = (page = document) => page.querySelector("#inbox > .inbox");
  const items = (page = document) => [...(list(page)?.querySelectorAll(":scope > li[id]") ?? [])];
  const isAtTop = () => scrollY <= TOP;

  const known = new Set(); // ids of the items that were on this page
  let handled = null; // the item whose form is on its way, as it stood
  let stood = []; // the items before what comes

  // ---- what is new

  // Of items that come in further down the page, none is visible until the reader goes to the top.
  function hideNew(page = document) {
    for (const item of items(page)) {
      const hides = document.getElementById(item.id)?.hidden || !known.has(item.id);
      if (hides && !isAtTop()) item.hidden = true;
    }
  }

  function tell() {
    const line = box()?.querySelector(".inbox-new");
    if (!line) return;
    for (const { id } of items()) known.add(id);
    const hidden = items().filter((item) => item.hidden), calls = hidden.filter((item) => item.classList.contains("urgent"));
    const counted = calls.length ? calls : hidden;
    const words = box().dataset[`${calls.length ? "call" : "item"}${counted.length === 1 ? "" : "s"}`];
    line.hidden = !hidden.length;
    line.textContent = hidden.length ? words.replace("{count}", counted.length) : "";
  }

  function bringIn() {
    const hidden = items().filter((item) => item.hidden);
    for (const item of hidden) item.hidden = false;
    if (hidden.length) tell();
    return hidden[0];
  }

  // ---- what was handled

  function place(item) {
    const before = items().slice(0, items().findIndex((other) => other === item));
    return { item, height: item.getBoundingClientRect().height, before: before.map(({ id }) => id).reverse() };
  }

  // The message of a form's answer is on top of the page, for screen readers. This shows it in place of the item. An
  // item that still waits, such as a call that a director answers, shows it instead of its buttons.
  function settle() {
    const mine = handled, note = [...document.querySelectorAll("#messages > .note")].pop();
    handled = null;
    if (!note) return;
    const there = mine.item && document.getElementById(mine.item.id);
    const said = document.createElement("p"), undo = note.querySelector("form, a.btn");
    said.textContent = note.querySelector(":scope > div").textContent.trim();
    if (mine.item && !there) leaveBehind(mine, said, undo);
    else if (!note.classList.contains("note-ok")) return;
    else if (there && undo) tellIn(there, said, undo);
    note.classList.add("sr");
  }

  function tellIn(item, said, undo) {
    const box = document.createElement("div");
    box.className = "inbox-said";
    stay(box, said, undo);
    item.append(box);
    setTimeout(remove, STAYS, box);
  }

  function leaveBehind({ item, height, before }, said, undo = null) {
    const row = document.createElement("li");
    row.className = "inbox-done";
    row.style.minHeight = `${height}px`;
    row.append(item.querySelector("svg").cloneNode(true));
    stay(row, said, undo);
    const last = before.map((id) => document.getElementById(id)).find(Boolean);
    if (last) last.after(row);
    else list().prepend(row);
    setTimeout(remove, STAYS, row);
  }

  function stay(box, said, undo) {
    box.dataset.liveNewer = ""; // live.js leaves it
    box.append(said, ...(undo ? [undo] : []));
    requestAnimationFrame(() => {
      if (![document.body, document.getElementById("page")].includes(document.activeElement)) return;
      box.querySelector("button, a")?.focus({ preventScroll: true });
    });
  }

  // Not while a thumb or the keyboard is at it, and without a move of what is further down.
  function remove(row) {
    if (!row.isConnected) return;
    if (row.matches(POINTED) || row.querySelector(":focus-visible")) {
      setTimeout(remove, AGAIN, row);
      return;
    }
    const { bottom, height } = row.getBoundingClientRect();
    row.remove();
    if (bottom < 0) scrollBy({ top: -height, behavior: "instant" });
  }

  document.addEventListener("submit", ({ target }) => {
    const item = target.closest?.("#inbox .inbox > li");
    handled = item ? (item.id ? place(item) : {}) : null; // without an item: its Undo
  }, true);

  // ---- what comes

  document.addEventListener("wild:page", ({ detail: { whole } }) => {
    if (!box()) return known.clear();
    if (whole) {
      known.clear();
      handled = null;
    } else {
      hideNew();
    }
    tell();
    if (handled) settle();
    age();
  });

  document.addEventListener("wild:takes", ({ detail: { fresh } }) => {
    if (!box()) return;
    hideNew(fresh);
    stood = items().filter((item) => !item.hidden).map(place);
  });

  document.addEventListener("htmx:load", ({ target }) => {
    if (!box() || !target.contains(box())) return;
    for (const was of stood) {
      if (was.item.isConnected) continue;
      leaveBehind(was, Object.assign(document.createElement("p"), { textContent: box().dataset.done }));
    }
    stood = [];
    tell();
    age();
  });

  document.addEventListener("click", ({ target }) => {
    if (!target.closest?.("#inbox .inbox-new")) return;
    const first = bringIn();
    box().scrollIntoView({ block: "start" });
    first?.querySelector("a, button")?.focus({ preventScroll: true });
  });

  document.addEventListener("scroll", () => { if (box() && isAtTop()) bringIn(); }, { passive: true });

  // ---- ages

  const began = new WeakMap(); // by the element of an age: what the page said, and when

  function age() {
    for (const time of box()?.querySelectorAll("[data-age]") ?? []) {
      let start = began.get(time);
      if (start?.said !== time.dataset.age) began.set(time, start = { said: time.dataset.age, at: performance.now() });
      const minutes = Math.floor((Number(start.said) + (performance.now() - start.at) / 1000) / 60);
      const [word, count] = minutes < 60 ? ["minutes", minutes] : minutes < 1440 ? ["hours", minutes / 60] : ["days", minutes / 1440];
      const words = box().dataset[word].replace("{count}", Math.floor(count));
      if (time.textContent !== words) time.textContent = words;
    }
  }

  setInterval(age, TICK);
  document.addEventListener("wild:over", () => { if (box()) document.dispatchEvent(new CustomEvent("wild:look")); });
})();
