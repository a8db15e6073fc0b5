// Steps through a finished hand without loading the page anew. It takes the look of a move from the server's page of it,
// which it fetches once and keeps; it fetches the moves beside the shown one ahead. Arrow keys step, Home and End go to the
// ends, and the address is always that of the move.
"use strict";
(() => {
  const PACE = 1300;  // milliseconds a move while it plays
  const SHOWN = ["scene", "said"];  // ids of what a move changes

  const slider = document.getElementById("move"), of = document.querySelector("[data-of]");
  const play = document.querySelector("[data-play]"), link = document.querySelector("[data-link]"), list = document.querySelector(".moves");
  const last = Number(slider.max), pages = new Map();  // move: a promise of its parts
  let now = Number(slider.value), wanted = now, timer = 0;

  const addressOf = (move) => `${location.pathname}?move=${move}`;
  const within = (move) => move >= 0 && move <= last;

  async function fetched(move) {
    const answer = await fetch(addressOf(move));
    if (!answer.ok) throw new Error(answer.status);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    return SHOWN.map((id) => page.getElementById(id));
  }

  function partsOf(move) {
    if (!pages.has(move)) {
      pages.set(move, fetched(move));
      pages.get(move).catch(() => pages.delete(move));
    }
    return pages.get(move);
  }

  async function show(move) {
    wanted = Math.min(Math.max(move, 0), last);
    const target = wanted;
    let parts;
    try {
      parts = await partsOf(target);
    } catch {
      location.assign(addressOf(target));  // the page itself says what is wrong
      return;
    }
    if (target !== wanted) return;  // somebody was quicker than the network
    now = target;
    for (const part of parts) {
      const here = document.getElementById(part.id);
      here.className = part.className;
      here.replaceChildren(...part.cloneNode(true).childNodes);
    }
    point();
    for (const beside of [now + 1, now - 1]) if (within(beside)) partsOf(beside);
  }

  // Everything that points at a move: slider, steps, link, list and address
  function point() {
    slider.value = now;
    slider.setAttribute("aria-valuetext", document.querySelector("#said b").textContent.trim());
    of.textContent = of.dataset.of.replace("{number}", now);
    link.textContent = link.dataset.link.replace("{number}", now);
    link.href = addressOf(now);
    for (const step of document.querySelectorAll("[data-by]")) {
      const to = now + Number(step.dataset.by);
      step.href = addressOf(Math.min(Math.max(to, 0), last));
      if (within(to)) step.removeAttribute("aria-disabled"); else step.setAttribute("aria-disabled", "true");
    }
    list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const item = list.children[now];
    item.setAttribute("aria-current", "step");
    list.scrollTo({ top: item.offsetTop - list.offsetTop - list.clientHeight / 2 });
    history.replaceState(null, "", addressOf(now));
  }

  function stop() {
    clearInterval(timer);
    timer = 0;
    play.classList.remove("playing");
    play.querySelector("[data-word]").textContent = play.dataset.play;
  }

  function start() {
    if (now === last) show(0);
    timer = setInterval(() => { if (now < last) show(now + 1); else stop(); }, PACE);
    play.classList.add("playing");
    play.querySelector("[data-word]").textContent = play.dataset.pause;
  }

  const by = (step) => { stop(); show(wanted + step); };

  play.addEventListener("click", () => (timer ? stop() : start()));
  slider.addEventListener("input", () => { stop(); show(Number(slider.value)); });
  document.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;  // into a tab of its own
    const step = event.target.closest("[data-by]"), move = event.target.closest(".moves a");
    if (!step && !move) return;
    event.preventDefault();
    if (step) by(Number(step.dataset.by));
    else { stop(); show([...list.children].indexOf(move.parentElement)); }
  });
  document.addEventListener("keydown", (event) => {
    if (event.target === slider || event.ctrlKey || event.metaKey || event.altKey) return;  // the slider has these keys itself
    const goes = { ArrowLeft: () => by(-1), ArrowRight: () => by(1), Home: () => show(0), End: () => show(last) }[event.key];
    if (!goes) return;
    event.preventDefault();
    goes();
  });

  document.documentElement.classList.add("js-proof");
  point();
  if (now < last) partsOf(now + 1);
})();
