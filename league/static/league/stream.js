// The stream of an open page (league/live/stream.py): keeps it open, and lets the page look by itself while there is none. For
// live.js, and for the pages of games that follow one table.
//
// wildStream({
//   address,       where it is
//   version,       the version that the page shows, as a function
//   waits,         milliseconds before it is tried again, the last one for ever
//   every,         milliseconds between two looks while there is none
//   changed,       called with a version that the page may not know
//   shown,         called with a version and the page's part, where the stream brings it
//   look, up, lost called to fetch the page, when the stream is there, and when it is not: its line went, or says nothing
//   rests,         whether a page that nobody sees holds none
//   woke,          called when the page is seen again, or the network is back
// }) returns { open, close, stop, looks }: `looks` says whether the page looks by itself.
"use strict";
// A stream beats every 2 seconds (league/live/stream.py). Ticks are counted and not time: a device that slept has missed none.
const WILD_TICK = 1000, WILD_SILENT = 4, WILD_DEAD = 12; // milliseconds; ticks without a beat until that is said; until it is left
window.wildStream = ({ address, version, waits, every, changed, shown = changed, look, up, lost, rests = false, woke = () => {} }) => {
  let source = null, tries = 0, trying = 0, looking = 0, over = false, ticking = 0, silent = 0;

  function open() {
    clearTimeout(trying);
    if (source || over || (rests && document.hidden)) return;
    if (!window.EventSource) {
      alone();
      return;
    }
    const to = new URL(address, location.href);
    to.searchParams.set("since", version());
    to.searchParams.set("beat", "1");
    source = new EventSource(to);
    source.addEventListener("open", () => {
      tries = 0;
      rest();
      up();
      clearInterval(ticking);
      ticking = setInterval(tick, WILD_TICK);
    });
    source.addEventListener("beat", heard);
    source.addEventListener("changed", (event) => {
      heard();
      changed(event.lastEventId);
    });
    source.addEventListener("shown", (event) => {
      heard();
      shown(event.lastEventId, event.data);
    });
    source.addEventListener("error", down);
  }

  function heard() {
    if (silent >= WILD_SILENT) up();
    silent = 0;
  }

  function tick() {
    silent += 1;
    if (silent === WILD_SILENT) lost();
    else if (silent >= WILD_DEAD) down();
  }

  function close() {
    clearTimeout(trying);
    clearInterval(ticking);
    silent = 0;
    if (source) source.close();
    source = null;
  }

  function down() {
    close();
    if (over || (rests && document.hidden)) return;
    // Not all in the same moment, after an outage of a whole hall.
    trying = setTimeout(open, waits[Math.min(tries, waits.length - 1)] * (1 + Math.random() / 4));
    tries += 1;
    // A stream that ends is opened again at once; only if that fails is there something to say.
    if (tries > 1) alone();
  }

  function alone() {
    const begins = !looking;
    if (begins) looking = setInterval(look, every);
    lost();
    if (begins) look();
  }

  function rest() {
    clearInterval(looking);
    looking = 0;
  }

  function stop() {
    over = true;
    close();
    rest();
  }

  function wake() {
    if (over) return;
    tries = 0;
    woke();
    open();
  }

  // The device knows before the stream does. It may be wrong, as where the server is this machine: so it is tried on.
  function cut() {
    if (over || (rests && document.hidden)) return;
    down();
    lost();
  }

  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) {
      wake();
    } else if (rests) {
      close();
      rest();
    }
  });
  window.addEventListener("pagehide", close);
  window.addEventListener("pageshow", (event) => { if (event.persisted) wake(); });
  window.addEventListener("online", wake);
  window.addEventListener("offline", cut);

  return { open, close, stop, looks: () => Boolean(looking) };
};
