// The stream of an open page (league/live.py): keeps it open, and lets the page look by itself while there is none. For
// live.js, and for the pages of games that follow one table.
//
// wildStream({
//   address,       where it is
//   version,       the version that the page shows, as a function
//   waits,         milliseconds before it is tried again, the last one for ever
//   every,         milliseconds between two looks while there is none
//   changed,       called with a version that the page may not know
//   shown,         called with a version and the page's part, where the stream brings it
//   look, up, lost called to fetch the page, when the stream is there, and when it is not
//   rests,         whether a page that nobody sees holds none
//   woke,          called when the page is seen again, or the network is back
// }) returns { open, close, stop, looks }: `looks` says whether the page looks by itself.
"use strict";
window.wildStream = ({ address, version, waits, every, changed, shown = changed, look, up, lost, rests = false, woke = () => {} }) => {
  let source = null, tries = 0, trying = 0, looking = 0, over = false;

  function open() {
    clearTimeout(trying);
    if (source || over || (rests && document.hidden)) return;
    if (!window.EventSource) {
      alone();
      return;
    }
    const to = new URL(address, location.href);
    to.searchParams.set("since", version());
    source = new EventSource(to);
    source.addEventListener("open", () => {
      tries = 0;
      rest();
      up();
    });
    source.addEventListener("changed", (event) => changed(event.lastEventId));
    source.addEventListener("shown", (event) => shown(event.lastEventId, event.data));
    source.addEventListener("error", down);
  }

  function close() {
    clearTimeout(trying);
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
    lost();
    if (looking) return;
    looking = setInterval(look, every);
    look();
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

  return { open, close, stop, looks: () => Boolean(looking) };
};
