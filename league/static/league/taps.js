// A list of people that is tapped fast, as at the door (templates/league/entries/check_in/_check_in.html). A tap shows at once where it was
// made and waits its turn to be sent; the rows stay where they are until nobody has tapped for a moment, and live.js puts
// them where they belong. The bar above names whom the last tap was about, and takes it back.
(() => {
  "use strict";

  const REST = 1500; // milliseconds without a tap until the rows may move
  const AGAIN = 2000; // until a tap that found no server is sent again
  const TWICE = 400; // two taps on one row within it are one: a finger that trembled
  const AIM = 350; // a tap so soon after its row moved was meant for what stood there before

  let bar = null, said = null, undo = null; // of the page; null on another one
  let kept = {}; // the words and addresses of the bar, also while another page is shown
  const lists = () => document.getElementById(kept.of);
  const queue = []; // taps on their way; they go on being sent from another page
  const stood = new Map(); // by the address of a row's form: where the row was
  let thumb = [-1, -1];
  let sending = false;
  let searching = false; // a search was answered with what is older than a tap
  let last = null;
  let tappedAt = -REST;
  let movedAt = -AIM;
  let newest = 0;
  let resting = 0; // timer

  document.addEventListener("wild:page", () => {
    const found = document.getElementById("tap-bar"), isNew = found !== bar;
    bar = found;
    if (!bar) return;
    if (isNew) {
      kept = { ...bar.dataset };
      [said, undo] = bar.children;
      undo.addEventListener("click", () => { if (last) tap(last.address, last.name, last.to === "yes" ? "no" : "yes", last.words); });
      bar.hidden = false;
    }
    newest = Math.max(newest, Number(lists().dataset.version));
    for (const { address, to } of queue) show(address, to);
  });

  function tell(text, back = null, wrong = false) {
    last = back;
    if (!bar) return;
    undo.hidden = !back;
    bar.toggleAttribute("data-wrong", wrong);
    if (said.textContent !== text) said.textContent = text;
  }

  // ---- a tap

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!bar || !form.matches?.("form[data-tap]")) return;
    event.preventDefault();
    const at = performance.now();
    if (last?.address === form.action && at - tappedAt < TWICE) return;
    const meant = at - movedAt < AIM ? aimedAt(form) : form;
    if (meant) tap(meant.action, fieldOf(meant).name, fieldOf(meant).value, meant.dataset);
  }, true);

  document.addEventListener("pointerdown", ({ clientX, clientY }) => { thumb = [clientX, clientY]; }, { capture: true, passive: true });

  // Whose row was under the thumb before the rows moved; nobody where it is not theirs to tap any more.
  function aimedAt(form) {
    const [x, y] = thumb;
    for (const [address, { left, right, top, bottom, to }] of stood) {
      if (x < left || x > right || y < top || y > bottom) continue;
      const there = formOf(address);
      return there && fieldOf(there).value === to ? there : null;
    }
    return stood.has(form.action) ? null : form;
  }

  function tap(address, name, to, words) {
    tappedAt = performance.now();
    show(address, to);
    const one = { address, name, to, words: { yes: words.yes, no: words.no } };
    queue.push(one);
    tell(to === "yes" ? words.yes : words.no, one);
    hold();
    send();
  }

  function formOf(address) {
    return [...(lists()?.querySelectorAll("form[data-tap]") ?? [])].find((form) => form.action === address);
  }

  // What a form sends: whether the player is here, or has paid.
  const fieldOf = (form) => form.querySelector("[data-to]");

  function show(address, to) {
    const form = formOf(address);
    if (!form) return; // a search has left it out
    fieldOf(form).value = to === "yes" ? "no" : "yes";
    form.querySelector("button").setAttribute("aria-pressed", String(to === "yes"));
  }

  // ---- sending, one after the other

  async function send() {
    if (sending) return;
    sending = true;
    while (queue.length) {
      const [one] = queue;
      let answer, text;
      try {
        answer = await ask(one);
        text = await answer.text();
      } catch {
        answer = null;
      }
      if (!answer || answer.status === 429 || answer.status >= 500) {
        tell(kept.waits, last, true);
        await new Promise((resolve) => setTimeout(resolve, AGAIN));
        continue;
      }
      const fresh = new DOMParser().parseFromString(text, "text/html").getElementById(kept.of);
      if (!fresh) {
        location.reload(); // signed out, or not for them any more: the page says so
        return;
      }
      queue.shift();
      take(one, answer.ok, fresh);
    }
    sending = false;
    hold();
  }

  function ask({ address, name, to }) {
    const fields = new URLSearchParams({ [name]: to });
    fields.set("csrfmiddlewaretoken", document.querySelector("input[name=csrfmiddlewaretoken]").value);
    const headers = { "HX-Request": "true", "HX-Target": kept.of };
    return fetch(address, { method: "POST", body: fields, headers, signal: AbortSignal.timeout(15000) });
  }

  function take(one, done, fresh) {
    const version = Number(fresh.dataset.version);
    if (version >= newest && lists()) {
      newest = version;
      const tallies = fresh.querySelectorAll("[data-tally]");
      lists().querySelectorAll("[data-tally]").forEach((tally, at) => { tally.textContent = tallies[at]?.textContent ?? ""; });
    }
    if (!done) {
      show(one.address, one.to === "yes" ? "no" : "yes");
      tell(fresh.querySelector("[role=alert]")?.textContent.trim() ?? "", null, true);
    } else if (bar?.hasAttribute("data-wrong") && last && !queue.length) {
      // Only now is nothing left that a page closed too early would lose.
      tell(last.words[last.to], last);
    }
  }

  // ---- nothing moves under a thumb

  function hold() {
    bar?.toggleAttribute("data-tapping", true);
    clearTimeout(resting);
    resting = setTimeout(rest, Math.max(REST - (performance.now() - tappedAt), 0));
  }

  function rest() {
    if (queue.length || !bar) return; // `send` holds again when all are through
    bar.toggleAttribute("data-tapping", false);
    if (searching) window.htmx.trigger(document.getElementById("people-find"), "submit");
    searching = false;
    document.dispatchEvent(new CustomEvent("wild:look"));
  }

  document.addEventListener("wild:takes", () => {
    if (!bar) return;
    stood.clear();
    movedAt = performance.now();
    for (const form of lists().querySelectorAll("form[data-tap]")) {
      const { left, right } = form.getBoundingClientRect(), { top, bottom } = form.closest("li").getBoundingClientRect();
      stood.set(form.action, { left, right, top, bottom, to: fieldOf(form).value });
    }
  });

  // A search that was asked before the last tap came through brings the row back that is gone.
  document.addEventListener("htmx:beforeSwap", (event) => {
    if (!bar || event.detail.target.id !== "people-list") return;
    const version = Number(/data-version="(\d+)"/.exec(event.detail.serverResponse)?.[1]);
    if (!queue.length && version >= newest) return;
    event.detail.shouldSwap = false;
    searching = true;
    hold();
  });
})();
