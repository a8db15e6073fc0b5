// Help at an open table. It loads after the table, since the first tap doesn't need it.
//
// Over the table lie its rules or the hand so far, in a dialog: turn and clock stay above it, and the table below goes on.
// Without this script both are pages of their own. A card of one's own is explained after a long press, a right click or
// "?", or while the mouse rests on it or a key has brought the focus there. A person reads three hints at their first turns.
// All these texts are in the rules of the table; whether a card can be played now, and what it risks, is on its button.
(() => {
  "use strict";

  const root = document.getElementById("play");
  const over = document.getElementById("over");
  if (!root || !over) return;
  const [turn, body] = over.children;
  let opener = null;
  let address = ""; // of the open sheet
  let asked = 0;

  async function read(url) {
    try {
      const answer = await fetch(url, { headers: { Accept: "text/html", "Wild-Live": "1" }, signal: AbortSignal.timeout(10000) });
      return answer.ok ? new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("sheet") : null;
    } catch {
      return null;
    }
  }

  async function lay(url) {
    const number = ++asked;
    const sheet = await read(url);
    if (number !== asked) return;
    if (!sheet) return location.assign(url);
    address = url;
    body.replaceChildren(document.importNode(sheet, true));
    body.scrollTop = 0;
    if (!over.open) over.showModal();
    follow();
    over.querySelector("#sheet-head").focus({ preventScroll: true });
  }

  // The newest moves come in above those that are being read.
  async function refresh() {
    const isHand = Boolean(over.querySelector(".handlog"));
    if (!over.open || !isHand) return;
    if (!document.getElementById("story")) return over.close();
    const number = ++asked;
    const list = (await read(address))?.querySelector(".handlog");
    const old = over.querySelector(".handlog");
    if (!list || !old || number !== asked || !over.open) return;
    const [top, high] = [body.scrollTop, body.scrollHeight];
    old.replaceWith(document.importNode(list, true));
    if (top > 0) body.scrollTop = top + body.scrollHeight - high;
  }

  function follow() {
    if (!over.open) return;
    const clock = document.getElementById("clock");
    turn.firstElementChild.textContent = document.getElementById("mine")?.getAttribute("aria-label") ?? "";
    turn.lastElementChild.textContent = clock ? (clock.classList.contains("clock-late") && clock.querySelector(".clock-bank") || clock.querySelector(".clock-move")).textContent : "";
    turn.classList.toggle("over3-mine", "mine" in root.dataset);
  }

  document.addEventListener("click", (event) => {
    if (event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    if (event.target === over || event.target.closest("#over [data-close]")) {
      event.preventDefault();
      return over.close();
    }
    const link = event.target.closest("a[data-sheet]");
    if (!link) return;
    event.preventDefault();
    opener = link.closest(".drop")?.querySelector("summary") ?? link;
    lay(link.href);
  });
  over.addEventListener("close", () => {
    asked += 1;
    opener?.focus({ preventScroll: true });
  });
  root.addEventListener("htmx:load", () => {
    follow();
    refresh();
  });
  setInterval(follow, 250);

  // ---- cards

  const LONG = 450; // milliseconds of a press
  const RESTS = 600; // milliseconds until a mouse is taken to point at a card
  const STAYS = 250; // milliseconds for the way from the card to its help
  const MOVES = 8; // pixels
  const HINTS = 3;
  const HINTED = "wild-hints";

  const rules = document.getElementById("rules-of");
  let known = null; // the rules of the table, once they came
  let asking = null;
  let open = null; // { key, pinned } of the card that is explained
  let timer = 0;
  let pressed = null;
  let returns = false; // the focus, to a card
  let suppresses = false; // the click that ends a long press

  async function texts() {
    if (known) return known;
    asking ??= read(rules.href);
    known = await asking;
    asking = null; // without a connection it is asked for again
    return known;
  }

  // ---- the help of one card

  const cardOf = (target) => target.closest?.(".fan li") ?? null;
  const liOf = (part, key) => part.querySelector(`#${CSS.escape(key)}`);
  const face = (code) => code[0] === "W" ? code : /\d/.test(code[1]) ? "" : code[1];
  const asks = (part) => part.querySelector("[data-ask]")?.id ?? "";

  async function show(key, pinned) {
    clearTimeout(timer);
    const found = await texts();
    if (!found || !liOf(root, key)) return;
    if (open?.key === key && open.pinned && !pinned) return;
    open = { key, pinned };
    put(root, found);
    if (pinned) root.querySelector("#cardhelp button").focus({ preventScroll: true });
  }

  function hide() {
    clearTimeout(timer);
    if (!open) return false;
    const { key, pinned } = open;
    open = null;
    root.querySelector("#cardhelp")?.remove();
    root.querySelector("[aria-describedby=cardhelp-text]")?.removeAttribute("aria-describedby");
    if (pinned) giveBack(liOf(root, key)?.querySelector("button"));
    return true;
  }

  // The focus comes back to the card without explaining it again.
  function giveBack(button) {
    returns = true;
    button?.focus({ preventScroll: true });
    returns = false;
  }

  function put(part, found) {
    const card = liOf(part, open.key).querySelector("button");
    const kind = found.querySelector(`[data-face="${face(card.value)}"]`);
    const below = part.querySelector("#below");
    if (!kind || !below) return;
    part.querySelector("#cardhelp")?.remove();
    const place = document.createElement("div");
    place.id = "cardhelp";
    place.className = open.pinned ? "help-pinned" : "";
    const help = document.createElement("div");
    help.className = "ask cardhelp";
    help.setAttribute("role", open.pinned ? "dialog" : "tooltip");
    help.setAttribute("aria-labelledby", "cardhelp-name");
    const head = document.createElement("div");
    head.className = "row";
    const name = document.createElement("h2");
    name.id = "cardhelp-name";
    name.textContent = card.dataset.name ?? card.getAttribute("aria-label");
    head.append(name);
    if (open.pinned) head.append(cross(found));
    const text = document.createElement("div");
    text.id = "cardhelp-text";
    text.append(kind.querySelector(".does").cloneNode(true));
    const note = card.dataset.note ?? ("mine" in part.dataset ? "" : part.querySelector("#mine")?.getAttribute("aria-label"));
    if (note) text.append(warning(found, note));
    help.append(card.querySelector("svg").cloneNode(true), head, text, kind.querySelector(".worth").cloneNode(true));
    place.append(help);
    below.querySelector("#mine").before(document.importNode(place, true));
    card.setAttribute("aria-describedby", "cardhelp-text");
  }

  function cross(found) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "tool";
    button.dataset.closes = "";
    button.setAttribute("aria-label", found.querySelector("#hints").dataset.close);
    button.append(found.querySelector("[data-close] svg").cloneNode(true));
    return button;
  }

  function warning(found, note) {
    const line = document.createElement("p");
    line.className = "risk";
    line.append(found.querySelector("#hints svg").cloneNode(true), note);
    return line;
  }

  // The next state of the table keeps the help, unless the card is gone or something else is asked.
  root.addEventListener("wild:fresh", ({ detail: fresh }) => {
    if (open && (!liOf(fresh, open.key) || (asks(fresh) && asks(fresh) !== asks(root)))) {
      const { pinned } = open;
      open = null;
      root.querySelector("#cardhelp")?.remove();
      if (pinned) giveBack(root.querySelector(".fan button"));
    }
    if (open) put(fresh, known);
    if (known) hint(fresh);
  });

  // ---- press, right click

  root.addEventListener("pointerdown", (event) => {
    suppresses = false;
    const card = cardOf(event.target);
    clearTimeout(timer);
    if (!card) {
      if (open && !event.target.closest("#cardhelp")) hide();
      return;
    }
    texts();
    pressed = { card, x: event.clientX, y: event.clientY };
    if (event.pointerType === "mouse") return;
    timer = setTimeout(() => {
      suppresses = true;
      show(card.id, true);
    }, LONG);
  });
  root.addEventListener("pointermove", (event) => {
    if (pressed && Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > MOVES) release();
  });
  for (const kind of ["pointerup", "pointercancel"]) root.addEventListener(kind, release);
  function release() {
    if (pressed) clearTimeout(timer);
    pressed = null;
  }
  window.addEventListener("click", (event) => {
    if (!suppresses || !cardOf(event.target)) return;
    suppresses = false;
    event.preventDefault();
    event.stopPropagation();
  }, true);
  root.addEventListener("contextmenu", (event) => {
    const card = cardOf(event.target);
    if (!card) return;
    event.preventDefault();
    if (open?.key !== card.id || !open.pinned) show(card.id, true);
  });
  root.addEventListener("click", (event) => {
    if (event.target.closest("[data-closes]")) hide();
  });

  // ---- mouse and focus: the help goes with them

  root.addEventListener("pointerover", (event) => {
    if (event.pointerType !== "mouse" || event.buttons || open?.pinned) return;
    if (event.target.closest("#cardhelp")) return clearTimeout(timer);
    const card = cardOf(event.target);
    if (!card) return;
    clearTimeout(timer);
    if (open?.key !== card.id) timer = setTimeout(() => show(card.id, false), open ? STAYS : RESTS);
  });
  root.addEventListener("pointerout", (event) => {
    if (event.pointerType !== "mouse" || open?.pinned || !(cardOf(event.target) || event.target.closest("#cardhelp"))) return;
    clearTimeout(timer);
    if (open) timer = setTimeout(hide, STAYS);
  });
  root.addEventListener("focusin", (event) => {
    const card = cardOf(event.target);
    if (card && event.target.matches(":focus-visible") && !returns && !open?.pinned) show(card.id, false);
  });
  root.addEventListener("focusout", (event) => {
    if (open && !open.pinned && cardOf(event.target) && !cardOf(event.relatedTarget ?? root)) hide();
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (event.key === "Escape" && hide()) return event.preventDefault();
    if (event.key !== "?" || event.target.closest("input:not([type=checkbox], [type=radio]), textarea, select")) return;
    event.preventDefault();
    const card = cardOf(document.activeElement);
    if (open?.pinned) hide();
    else if (card || open) show(card?.id ?? open.key, true);
    else rules.click();
  }, true);

  // ---- three hints during the first hand, one a turn; this browser remembers them

  let hinted = ""; // the turn that has its hint

  function stored() {
    try {
      return localStorage.getItem(HINTED) ?? `${root.dataset.deal}:0`;
    } catch {
      return "";
    }
  }

  const small = matchMedia("(max-height: 600px) and (max-width: 559px)"); // no room for a hint

  function hint(part) {
    if (small.matches) return;
    const [deal, count] = stored().split(":");
    const turn = part.querySelector("#hand [name=answers]")?.value;
    if (deal !== part.dataset.deal || !("mine" in part.dataset) || asks(part) || !turn) return;
    const isNew = turn !== hinted.split(" ")[0];
    if (!isNew && !hinted.endsWith(" shown")) return; // it was tapped
    const at = isNew ? Number(count) : Number(count) - 1;
    if (!(at < HINTS)) return;
    const line = document.createElement("div");
    line.id = "hint";
    line.className = "hint";
    line.setAttribute("role", "status");
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = known.querySelectorAll("#hints li")[at].textContent;
    line.append(button);
    part.querySelector("#hint")?.remove();
    part.querySelector("#mine").before(document.importNode(line, true));
    if (!isNew) return;
    hinted = `${turn} shown`;
    try {
      localStorage.setItem(HINTED, `${deal}:${at + 1}`);
    } catch {
      hinted = turn;
    }
  }

  root.addEventListener("click", (event) => {
    if (!event.target.closest("#hint")) return;
    hinted = hinted.split(" ")[0];
    root.querySelector("#hint").remove();
  });

  const [deal, count] = stored().split(":");
  if (deal === root.dataset.deal && Number(count) < HINTS && root.dataset.state !== "over") texts().then((found) => found && hint(root));
})();
