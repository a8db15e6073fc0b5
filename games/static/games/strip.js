// Tells what goes on at the reader's own table while they look at a hand that is over: it fetches that anew when something
// changes there, and now and then all the same, as the table's page does. clock.js counts the time that is left.
"use strict";
(() => {
  const LOOK = 5000, HERE = 10000;  // milliseconds between two looks: without a stream, and with a silent one
  const strip = document.getElementById("strip");
  if (!strip) return;
  const title = document.title;
  let lookedAt = performance.now(), fetching = false, wanted = false;

  async function look() {
    wanted = true;
    if (fetching) return;
    fetching = true;
    while (wanted) {
      wanted = false;
      lookedAt = performance.now();
      try {
        const headers = { Accept: "text/html", "Wild-Live": document.hidden ? "hidden" : "1" };
        const answer = await fetch(strip.dataset.here, { cache: "no-store", headers, signal: AbortSignal.timeout(10000) });
        if ([403, 404, 410].includes(answer.status)) stream.stop();
        if (answer.ok) take(new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("strip"));
      } catch {
        // It looks again soon.
      }
    }
    fetching = false;
  }

  function take(fresh) {
    if (!fresh) {
      stream.stop();
      return;
    }
    strip.dataset.version = fresh.dataset.version;
    strip.className = fresh.className;
    strip.hidden = fresh.hidden;
    const [words, clock] = strip.children, [wordsNow, clockNow] = fresh.children;
    if (words.textContent !== wordsNow.textContent) words.textContent = wordsNow.textContent;
    if (clock.dataset.ends !== clockNow.dataset.ends) clock.replaceWith(document.adoptNode(clockNow));
    named();
  }

  function named() {
    document.title = strip.classList.contains("strip-mine") ? `${strip.firstElementChild.textContent} ${title}` : title;
  }

  const stream = wildStream({
    address: strip.dataset.stream,
    version: () => strip.dataset.version,
    waits: [300, 1000, 3000, 5000, 10000],
    every: LOOK,
    changed: look,
    look,
    up: () => {},
    lost: () => {},
    woke: look,
  });

  setInterval(() => { if (performance.now() - lookedAt > HERE) look(); }, 1000);
  named();
  stream.open();
})();
