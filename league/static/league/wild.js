// What every page does in the browser beyond htmx: times in the viewer's zone, and no form sent twice by a double tap.
(() => {
  "use strict";

  const SHOWN = {
    day: { day: "numeric", month: "short" },
    year: { year: "numeric" },
    time: { hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
  };

  function localTimes(root) {
    for (const el of root.querySelectorAll("time[data-local]")) {
      const at = new Date(el.dateTime);
      if (Number.isNaN(at.getTime())) continue;
      // The same style as the server's: day before month in English too.
      const { lang } = document.documentElement, locale = lang === "en" ? "en-GB" : lang;
      const options = Object.assign({}, ...el.dataset.local.split(" ").map((part) => SHOWN[part]));
      el.textContent = at.toLocaleString(locale, options);
      el.title = at.toLocaleString(locale);
      delete el.dataset.local;
    }
  }

  // A new event or club begins in the browser's time zone where the server knows no better one.
  function suggestZone() {
    const field = document.querySelector("[data-asks-zone] [name=time_zone]");
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    if (field && zone) field.value = zone;
  }

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.method !== "post" || event.defaultPrevented) return;
    if (form.dataset.sent) return event.preventDefault();
    form.dataset.sent = "1";
    // Who signs out leaves no scorer's pages on this device (templates/games/entry/sw.js). Hands that wait stay: they are work.
    if (form.action.endsWith("/logout/")) globalThis.caches?.keys().then((names) => names.forEach((name) => caches.delete(name)));
  });
  // A page that comes back from the browser's memory may be sent again.
  window.addEventListener("pageshow", () => {
    for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
  });

  // The menu closes with Escape, which leads back to its button, and when something else is tapped.
  document.addEventListener("keydown", (event) => {
    const menu = event.key === "Escape" && document.querySelector(".menu[open]");
    if (!menu) return;
    menu.open = false;
    menu.querySelector("summary").focus();
  });
  document.addEventListener("click", (event) => {
    const menu = document.querySelector(".menu[open]");
    if (menu && !menu.contains(event.target)) menu.open = false;
  });

  // Tell for a moment on the button that it is done.
  function done(button) {
    const [before, after] = [[...button.childNodes], button.dataset.done];
    button.textContent = after;
    setTimeout(() => button.replaceChildren(...before), 2000);
  }

  // What the buttons do that work in the browser alone; without this script they are hidden.
  const BUTTONS = {
    copy: async (button) => {
      const { copy } = button.dataset;
      try {
        await navigator.clipboard.writeText(copy);
      } catch { // on plain http, as in a café: as it was done before
        const field = document.createElement("textarea");
        field.value = copy;
        button.after(field);
        field.select();
        document.execCommand("copy");
        field.remove();
        button.focus();
      }
      done(button);
    },
    share: ({ dataset: { title, share } }) =>
      navigator.share(/\s/.test(share) ? { title, text: share } : { title, url: share }).catch(() => {}),
    print: () => window.print(),
    tickAll: (button) => {
      const boxes = [...button.form.querySelectorAll("input[type=checkbox]")];
      const tick = boxes.some((box) => !box.checked); // all are: then none
      for (const box of boxes) box.checked = tick;
    },
    // A small number is counted up and down beside its field.
    count: (button) => {
      const field = button.parentElement.querySelector("input");
      field.value = Math.max(Number(field.min) || 0, (Number(field.value) || 0) + Number(button.dataset.count));
      field.dispatchEvent(new Event("input", { bubbles: true }));
    },
  };

  const OURS = "[data-print], [data-tick-all], [data-count], [data-copy]:not([data-copy='']), [data-share]";

  document.addEventListener("click", (event) => {
    const button = event.target.closest?.(OURS);
    for (const name of Object.keys(button?.dataset ?? {})) BUTTONS[name]?.(button);
  });

  // The button of a form of ticks says how many are ticked; without this script it names no number.
  function countTicks(button) {
    const ticked = button.form.querySelectorAll("input[type=checkbox]:checked").length;
    button.textContent = button.dataset.byTicks.split("|")[ticked];
  }
  document.addEventListener("change", ({ target }) => {
    for (const button of target.form?.querySelectorAll("[data-by-ticks]") ?? []) countTicks(button);
  });

  // Of what came: the page, or a part that htmx or live.js put in.
  function setUp(part) {
    localTimes(part);
    if (part.dataset?.names) document.getElementById("id_expected").value = part.dataset.names; // the names decide how many come
    for (const button of part.querySelectorAll(OURS)) button.hidden = "share" in button.dataset && !navigator.share;
    for (const button of part.querySelectorAll("[data-by-ticks]")) countTicks(button);
  }

  // What the reader unfolded in a part stays unfolded when a newer one takes its place.
  const unfolded = new Set();
  for (const name of ["htmx:beforeSwap", "htmx:oobBeforeSwap"]) {
    document.addEventListener(name, ({ detail }) => {
      for (const { id } of detail.target.querySelectorAll("details[open][id]")) unfolded.add(id);
    });
  }
  document.addEventListener("htmx:afterSwap", () => {
    for (const id of unfolded) document.getElementById(id)?.setAttribute("open", "");
    unfolded.clear();
  });

  // An address that names something folded away unfolds it: itself, or what it stands in.
  function unfold() {
    const named = location.hash && document.getElementById(location.hash.slice(1));
    if (!named) return;
    const folded = [];
    for (let at = named.closest("details"); at; at = at.parentElement.closest("details")) {
      if (!at.open) folded.push(at);
    }
    for (const details of folded) details.open = true;
    if (folded.length) named.scrollIntoView();
  }

  window.addEventListener("hashchange", unfold);
  document.addEventListener("wild:page", ({ detail: { whole } }) => {
    setUp(document);
    if (!whole) return;
    suggestZone();
    unfold();
    // The links of a place scroll sideways on a phone: the current one starts in sight.
    const tab = document.querySelector(".sub [aria-current], .tabs [aria-current]");
    if (tab) tab.parentElement.scrollLeft = tab.offsetLeft - (tab.parentElement.clientWidth - tab.offsetWidth) / 2;
    // Rounds side by side begin with the newest in sight, once: where somebody scrolls to, they stay.
    const rounds = document.querySelector("[data-newest]");
    if (rounds) rounds.scrollLeft = rounds.dataset.newest - rounds.clientWidth + 40; // and what stands beside it
    if (!window.wild.moved()) document.querySelector("[aria-invalid=true]")?.focus();
  });
  document.addEventListener("htmx:load", (event) => setUp(event.target));
})();
