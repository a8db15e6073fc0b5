// Counts the round's clock down, by the server's time: the device's own clock may be wrong and is not asked. How far the
// server's time is from the page's stopwatch is known from what the page said when it came; nothing is asked again,
// but for once after the device slept, for stopwatches stand still then.
(() => {
  "use strict";

  const TICK = 250; // milliseconds
  const SLEPT = 1500;

  // What was said is old by its way here, never too new: of several answers the one that was faster is right.
  let ahead = -Infinity;
  let said = "";
  let apart = Date.now() - performance.now();
  let asking = false;

  function learn(server, received) {
    ahead = Math.max(ahead, server - received);
  }

  function look(received) {
    const clock = document.querySelector("[data-clock]");
    if (!clock || clock.dataset.now === said) return;
    said = clock.dataset.now;
    learn(Number(said), received);
  }

  async function ask() {
    if (asking || !document.querySelector("[data-clock]")) return;
    asking = true;
    try {
      const answer = await fetch(location.href, { method: "HEAD", cache: "no-store" });
      const at = Date.parse(answer.headers.get("Date"));
      if (!Number.isNaN(at)) learn(at, performance.now());
    } catch {
      // No network: it goes on counting with what it knows.
    } finally {
      asking = false;
    }
  }

  function words(seconds) {
    const two = (number) => String(number).padStart(2, "0");
    const minutes = Math.floor(seconds / 60);
    const rest = two(seconds % 60);
    return minutes < 60 ? `${minutes}:${rest}` : `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${rest}`;
  }

  function count(clock) {
    const left = Math.max(0, Math.ceil((Number(clock.dataset.ends) - performance.now() - ahead) / 1000));
    const time = clock.querySelector("time");
    if (time && time.textContent !== words(left)) time.textContent = words(left);
    if (left || "up" in clock.dataset) return;
    clock.dataset.up = "";
    for (const node of clock.querySelectorAll("[data-over]")) node.textContent = node.dataset.over;
    document.dispatchEvent(new CustomEvent("wild:over"));
  }

  function tick() {
    look(performance.now());
    const moved = Date.now() - performance.now() - apart;
    if (Math.abs(moved) > SLEPT) {
      apart += moved;
      ask();
    }
    for (const clock of document.querySelectorAll("[data-clock][data-ends]")) count(clock);
  }

  const [came] = window.wild?.moved() ? [] : performance.getEntriesByType("navigation");
  look(came ? came.responseStart : performance.now());
  // A page out of the browser's memory says what was true when it first came.
  if (came && (came.type === "back_forward" || came.transferSize === 0)) ask();
  tick();
  setInterval(tick, TICK);
})();
