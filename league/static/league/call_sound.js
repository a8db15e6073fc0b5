// A short sound on Now when a table calls, if the director wants it: off by default, and this browser remembers it. A
// browser lets a page sound only after a tap, so the sound begins with the first one after a reload.
(() => {
  "use strict";

  const NAME = "wild-call-sound", TONES = [880, 660], LONG = 0.18; // hertz, seconds each

  let audio = null;
  const heard = new Map(); // by the address of the page: ids of the calls that were on it

  const button = () => document.querySelector("[data-call-sound]");

  function isOn() {
    try {
      return localStorage.getItem(NAME) === "on";
    } catch {
      return false;
    }
  }

  function wake() {
    if (!isOn() || !window.AudioContext) return false;
    audio ??= new AudioContext();
    audio.resume();
    return true;
  }

  function ring() {
    if (!wake()) return;
    TONES.forEach((hertz, at) => {
      const [tone, volume, start] = [audio.createOscillator(), audio.createGain(), audio.currentTime + at * LONG];
      tone.frequency.value = hertz;
      tone.type = "triangle";
      volume.gain.setValueAtTime(0.12, start);
      volume.gain.exponentialRampToValueAtTime(0.001, start + LONG);
      tone.connect(volume).connect(audio.destination);
      tone.start(start);
      tone.stop(start + LONG);
    });
  }

  // Calls that were there when the page was opened are silent.
  function listen() {
    const { pathname } = location, calls = [...document.querySelectorAll("#inbox .urgent[id]")].map(({ id }) => id);
    const before = heard.get(pathname);
    if (before && calls.some((id) => !before.has(id))) ring();
    heard.set(pathname, new Set([...(before ?? []), ...calls]));
  }

  function show() {
    const found = button();
    if (!found) return;
    found.hidden = !window.AudioContext;
    found.setAttribute("aria-pressed", String(isOn()));
    listen();
  }

  document.addEventListener("wild:page", show);
  document.addEventListener("htmx:load", ({ target }) => { if (button() && target.contains(button())) show(); });
  document.addEventListener("click", ({ target }) => {
    const pressed = target.closest?.("[data-call-sound]");
    if (!pressed) return wake();
    try {
      localStorage.setItem(NAME, isOn() ? "off" : "on");
    } catch {
      return; // this browser remembers nothing
    }
    pressed.setAttribute("aria-pressed", String(isOn()));
    if (isOn()) ring();
  });
})();
