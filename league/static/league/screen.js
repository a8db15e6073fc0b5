// The hall screen: its pages take turns, and the display stays awake. What they show comes from the server; live.js takes
// over what changed, and leaves alone which page is on (data-on). Keys: f full screen, space holds a page, arrows turn.
(() => {
  "use strict";

  const root = document.documentElement;
  root.classList.add("turns"); // before anything is drawn: without this script all pages are shown one below the other
  let turning = 0; // timer
  let held = false;
  let lock = null;

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
    if (!held) turning = setTimeout(turn, Number(hall.dataset.seconds) * 1000);
  }

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
    show(0);
    wait();
    stayAwake();
    // A page that is gone leaves nothing on: begin with the first.
    document.addEventListener("htmx:load", () => show(Math.max(0, current())));
    // An address that was ended, or a round that nobody may see any more: let the server say so.
    new MutationObserver(() => {
      if (document.getElementById("live").dataset.state === "gone") location.reload();
    }).observe(document.getElementById("live"), { attributes: true, attributeFilter: ["data-state"] });
  });
  document.addEventListener("visibilitychange", stayAwake);
})();
