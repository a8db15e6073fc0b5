// The hall screen: its pages take turns, and the display stays awake. What they show comes from the server; live.js takes
// over what changed, and leaves alone which page is on (data-on). Keys: f full screen, space holds a page, arrows turn.
//
// A draw or a podium that begins while the screen is open is revealed step by step (data-step); any key or tap shows all
// of it, and so does a screen that was opened later, or a reader who wants no motion.
(() => {
  "use strict";

  const root = document.documentElement;
  root.classList.add("turns"); // before anything is drawn: without this script all pages are shown one below the other
  let turning = 0; // timer
  let held = false;
  let lock = null;
  let known = null; // the draw or podium that the screen has shown; empty: none, null: before the page came
  let step = 0; // of the one that is being revealed; 0: none is
  let next = 0; // timer of its next step

  function pages() {
    return [...document.querySelectorAll(".hall-page")];
  }

  function show(number) {
    const all = pages();
    if (!all.length) return;
    const on = all[((number % all.length) + all.length) % all.length];
    for (const page of all) {
      page.toggleAttribute("data-on", page === on);
      document.getElementById(`turn-${page.id}`)?.toggleAttribute("data-on", page === on);
    }
  }

  function current() {
    return pages().findIndex((page) => "on" in page.dataset);
  }

  function turn(by = 1) {
    show(current() + by);
    wait();
  }

  function wait() {
    clearTimeout(turning);
    const hall = document.getElementById("hall");
    if (!held && !step) turning = setTimeout(turn, Number(hall.dataset.seconds) * 1000);
  }

  // ---- the draw and the podium

  const box = () => document.getElementById("presented");
  const steps = () => [...document.querySelectorAll("[data-step]")];

  function arrive() {
    const key = box()?.dataset.reveal ?? "";
    if (key === known) {
      if (step) paint();
      return;
    }
    const wasOpen = known !== null;
    known = key;
    if (key && wasOpen && !matchMedia("(prefers-reduced-motion: reduce)").matches) reveal(1);
    else showAll();
  }

  function reveal(number) {
    clearTimeout(next);
    if (number > steps().length) return showAll(step > 0);
    step = number;
    clearTimeout(turning);
    paint();
    next = setTimeout(() => reveal(step + 1), Number(box().dataset.pace));
  }

  // What the steps until now have revealed; the newest stands out.
  function paint() {
    const all = steps();
    root.classList.add("revealing");
    for (const one of all) {
      const at = Number(one.dataset.step);
      if (at > step) delete one.dataset.on;
      else one.dataset.on = at === step ? "new" : "";
    }
    for (const one of document.querySelectorAll("[data-for]")) one.toggleAttribute("data-on", Number(one.dataset.for) <= step);
    for (const one of document.querySelectorAll("[data-left]")) one.textContent = String(all.length - step);
    const page = all.find((one) => one.dataset.on === "new")?.closest(".hall-page");
    if (page) show(pages().indexOf(page));
  }

  function showAll(stays = false) {
    clearTimeout(next);
    step = 0;
    root.classList.remove("revealing");
    for (const one of document.querySelectorAll("[data-step], [data-for]")) delete one.dataset.on;
    if (!stays) show(0);
    wait();
  }

  document.addEventListener("pointerdown", () => { if (step) showAll(); });

  async function stayAwake() {
    if (lock || document.hidden || !navigator.wakeLock) return;
    try {
      lock = await navigator.wakeLock.request("screen");
      lock.addEventListener("release", () => { lock = null; });
    } catch {
      lock = null; // not on this display, or not now
    }
  }

  function fullScreen() {
    if (document.fullscreenElement) document.exitFullscreen();
    else root.requestFullscreen?.().catch(() => {});
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "f") fullScreen();
    else if (step) {
      showAll();
      event.preventDefault();
    }
    else if (event.key === "ArrowRight") turn();
    else if (event.key === "ArrowLeft") turn(-1);
    else if (event.key === " ") {
      held = !held;
      root.classList.toggle("held", held);
      wait();
      event.preventDefault();
    }
  });

  document.addEventListener("DOMContentLoaded", () => {
    arrive();
    stayAwake();
    // A page that is gone leaves nothing on: begin with the first.
    document.addEventListener("htmx:load", () => {
      show(Math.max(0, current()));
      arrive();
    });
    // An address that was ended, or a round that nobody may see any more: let the server say so.
    new MutationObserver(() => {
      if (document.getElementById("live").dataset.state === "gone") location.reload();
    }).observe(document.getElementById("live"), { attributes: true, attributeFilter: ["data-state"] });
  });
  document.addEventListener("visibilitychange", stayAwake);
})();
