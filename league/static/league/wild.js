// What every page does in the browser beyond htmx: times in the viewer's zone, and no form sent twice by a double tap.
(() => {
  "use strict";

  function localTimes(root) {
    for (const el of root.querySelectorAll("time[data-local]")) {
      const at = new Date(el.dateTime);
      if (Number.isNaN(at.getTime())) continue;
      const options = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
      if (el.dataset.local === "day") Object.assign(options, { day: "numeric", month: "short" });
      el.textContent = at.toLocaleString(document.documentElement.lang, options);
      el.title = at.toLocaleString(document.documentElement.lang);
      delete el.dataset.local;
    }
  }

  // A new form starts in the zone of whoever fills it in, until they choose another.
  function suggestZone() {
    const field = document.querySelector("input[name=time_zone][value=UTC]");
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    if (field && zone && document.querySelector("form#new")) field.value = zone;
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

  document.addEventListener("DOMContentLoaded", () => {
    localTimes(document);
    suggestZone();
    // An address that names something folded away unfolds it.
    const named = location.hash && document.getElementById(location.hash.slice(1));
    if (named instanceof HTMLDetailsElement) named.open = true;
    // The links of a place scroll sideways on a phone: the current one starts in sight.
    const tab = document.querySelector(".sub [aria-current], .tabs [aria-current]");
    if (tab) tab.parentElement.scrollLeft = tab.offsetLeft - (tab.parentElement.clientWidth - tab.offsetWidth) / 2;
    // Rounds side by side begin with the newest in sight, once: where somebody scrolls to, they stay.
    const rounds = document.querySelector("[data-newest]");
    if (rounds) rounds.scrollLeft = rounds.dataset.newest - rounds.clientWidth + 40; // and what stands beside it
    for (const button of document.querySelectorAll("[data-print]")) {
      button.hidden = false;
      button.addEventListener("click", () => window.print());
    }
    for (const button of document.querySelectorAll("[data-tick-all]")) {
      button.hidden = false;
      button.addEventListener("click", () => {
        const boxes = [...button.form.querySelectorAll("input[type=checkbox]")];
        const tick = boxes.some((box) => !box.checked); // all are: then none
        for (const box of boxes) box.checked = tick;
      });
    }
    // A small number is counted up and down beside its field.
    for (const button of document.querySelectorAll("[data-by]")) {
      const field = button.parentElement.querySelector("input");
      button.hidden = false;
      button.addEventListener("click", () => {
        field.value = Math.max(Number(field.min) || 0, (Number(field.value) || 0) + Number(button.dataset.by));
        field.dispatchEvent(new Event("input", { bubbles: true }));
      });
    }
    const error = document.querySelector("[aria-invalid=true]");
    if (error) error.focus();
  });
  document.addEventListener("htmx:load", (event) => localTimes(event.target));
})();
