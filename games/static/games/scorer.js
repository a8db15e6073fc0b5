// The scorer: taps on seats and card faces. The plain inputs of the form are the truth: every tap is written into them,
// so a page that comes back with an error has everything. Without this file those inputs are the page.
// Loaded in the head and not deferred, so that the inputs are never drawn before they make room for the pad.
"use strict";
(() => {
  document.documentElement.classList.add("js-scorer");

  // People who count in their head type digits; the browser remembers that, unless it keeps nothing (a private window).
  const MODE = "wild-scorer-digits";
  const prefersDigits = () => { try { return localStorage.getItem(MODE) === "1"; } catch { return false; } };
  const remember = (digits) => { try { localStorage.setItem(MODE, digits ? "1" : "0"); } catch { /* then not */ } };

  const words = (pattern, values) => pattern.replace(/\{(\w+)\}/g, (_all, name) => values[name]);

  function scorer(form, signal) {
    const say = form.dataset;
    const find = (selector) => form.querySelector(selector);
    const all = (selector) => [...form.querySelectorAll(selector)];
    const main = find("[data-main]"), held = find("[data-held]"), told = find("[data-told]");
    const nobody = find("[data-nobody]"), time = find("[data-time]"), typeInstead = find("[data-type-instead]"), instead = find("[data-it-was]"), pad = find(".pad"), digits = find("[data-digits]"), other = find("[data-digit=other]"), line = find("[data-line]"), missing = find("[data-missing]");
    const radios = all("input[name=went_out]"), keys = all("[data-card]"), hues = all("[data-hue]");
    const keyOf = new Map(keys.map((key) => [key.dataset.card, key]));
    const seats = all("[data-seat]").map((box) => {
      const number = box.dataset.seat;
      const input = (name) => form.elements[`${name}_${number}`];
      const pick = find(`[data-pick="${number}"]`);
      const seat = { number: Number(number), name: box.dataset.name, box, pick, cards: input("cards"), count: input("count"), points: input("points") };
      // Our digits are larger than the phone's keyboard, and leave the scores in sight.
      for (const field of [seat.count, seat.points]) field.inputMode = "none";
      return seat;
    });
    let here = null, field = null;  // the seat that is being entered, and which of its two numbers
    let over = true;  // the next digit replaces the number that is there

    // Read the inputs when the page opens, and when waiting.js goes on to another hand.
    function refill() {
      over = true;
      for (const seat of seats) {
        delete seat.kept;
        seat.typing = !seat.cards.value && (prefersDigits() || Boolean(seat.count.value || seat.points.value));
      }
      here = seats.find((seat) => "wrong" in seat.box.dataset) ?? begin();
      document.documentElement.classList.remove("entering");  // notes about the hand before are read first
      draw();
      if (here && "wrong" in here.box.dataset) requestAnimationFrame(makeRoom);  // the dock says what is wrong
    }

    const out = () => {
      const chosen = radios.find((radio) => radio.checked);
      return !chosen ? "" : ["none", "time"].includes(chosen.value) ? chosen.value : Number(chosen.value);
    };
    const isOver = () => out() === "none" || out() === "time";  // with nobody who went out
    const cardsOf = (seat) => seat.cards.value.toUpperCase().split(/[\s,;]+/).filter(Boolean);
    const pointsOf = (codes) => codes.reduce((sum, code) => sum + Number(keyOf.get(code)?.dataset.points ?? 0), 0);
    const entered = (seat) => cardsOf(seat).length > 0 || seat.points.value.trim() !== "";
    const partnerOfOut = (seat) => say.partnerFree === "true" && !isOver() && (out() + 2) % 4 === seat.number;
    const nobodyScores = () => out() === "time" || (out() === "none" && say.blockedFree === "true");
    const free = (seat) => partnerOfOut(seat) || nobodyScores();
    const gone = (seat) => "gone" in seat.box.dataset;  // out by a hand that waits on this phone (waiting.js)
    const open = (seat) => seat.number !== out() && !free(seat) && !entered(seat) && !gone(seat);
    // Round the table from whoever went out, in the order in which people read out their cards.
    const order = () => {
      const first = Math.max(0, seats.findIndex((seat) => seat.number === out()));
      return seats.map((_seat, step) => seats[(first + step) % seats.length]);
    };
    // Go on round the table from here, so that a seat that was passed over comes again only after all others.
    const next = () => {
      const round = order(), at = round.indexOf(here) + 1;
      return out() === "" ? null : [...round.slice(at), ...round.slice(0, Math.max(0, at - 1))].find(open) ?? null;
    };

    const complete = () => out() !== "" && !seats.some(open);

    // Begin at a seat that is still to be entered; if a whole hand is looked at again, next to whoever went out.
    const begin = () => {
      if (out() === "" || nobodyScores()) return null;
      return next() ?? order().find((seat) => seat.number !== out() && !gone(seat));
    };

    function wentOut(value) {
      for (const radio of radios) radio.checked = radio.value === String(value);
      const seat = seats.find((each) => each.number === value);
      if (seat) seat.cards.value = seat.count.value = seat.points.value = "";
      here = begin();
      over = true;
      changed();
      makeRoom();
    }

    // This seat went out, not the one chosen before: that one's cards come next, typed as this one's were.
    function itWas(seat) {
      wentOut(seat.number);
      here.typing = seat.typing;
      draw();
    }

    function write(codes) {
      here.cards.value = codes.join(" ");
      changed();
    }

    function changed() {
      form.dispatchEvent(new Event("input", { bubbles: true }));  // asks the server for the scores
    }

    function summary(seat) {
      const codes = cardsOf(seat), count = codes.length || Number(seat.count.value) || 0;
      const points = codes.length ? pointsOf(codes) : seat.points.value.trim();
      if (count) return words(count === 1 ? say.one : say.many, { count, points: points === "" ? "?" : points });
      return words(say.pointsAlone, { points });
    }

    function drawSeats() {
      for (const seat of seats) {
        const isOut = seat.number === out();
        seat.pick.classList.toggle("pick-out", isOut);
        seat.pick.classList.toggle("pick-wrong", "wrong" in seat.box.dataset);
        seat.pick.setAttribute("aria-pressed", String(seat === here));
        seat.pick.disabled = gone(seat);
        seat.box.dataset.caught = isOut || !entered(seat) ? 0 : cardsOf(seat).length ? pointsOf(cardsOf(seat)) : seat.points.value.trim();
        const small = seat.pick.querySelector("small");
        small.textContent =
          gone(seat) ? say.gone : out() === "time" ? "" : isOut ? say.wentOut : out() === "" && !entered(seat) ? small.dataset.stands ?? "" : entered(seat) ? summary(seat) : free(seat) ? say.free : say.tap;
        seat.box.hidden = seat !== here || !seat.typing;
      }
      nobody.textContent = isOver() ? say.somebody : say.nobody;
      find("[data-blocked]").hidden = out() !== "none";
      if (time) {
        time.hidden = isOver();
        find("[data-time-is-up]").hidden = out() !== "time";
      }
      find("[data-prompt]").hidden = here !== null || out() !== "";
    }

    function card(code, position) {
      const key = keyOf.get(code), row = document.createElement("li"), button = document.createElement("button");
      const name = key ? key.getAttribute("aria-label") : code;
      button.type = "button";
      button.dataset.held = position;
      button.setAttribute("aria-label", words(say.back, { card: name }));
      if (key) {
        const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg"), use = document.createElementNS("http://www.w3.org/2000/svg", "use");
        svg.setAttribute("class", "card-s");
        svg.setAttribute("aria-hidden", "true");
        use.setAttribute("href", `${say.sprite}#${key.dataset.symbol}`);
        svg.append(use);
        button.append(svg);
      } else {
        button.textContent = code;  // a typed code that is no card of this edition; the server says so
      }
      row.append(button);
      return row;
    }

    function drawCards() {
      const showPad = here !== null && !here.typing;
      find("[data-cards-entry]").hidden = !showPad;
      typeInstead.hidden = here === null;
      instead.hidden = here === null || here.number === out() || !complete();
      if (here !== null) instead.textContent = words(say.instead, { name: here.name });
      if (here !== null) typeInstead.textContent = here.typing ? say.cards : say.type;
      digits.hidden = here === null || !here.typing;
      if (!digits.hidden) {
        if (field !== here.count && field !== here.points) field = here.points.value && !here.count.value ? here.points : here.count;
        for (const input of [here.count, here.points]) {
          input.classList.toggle("input-here", input === field);
          input.classList.toggle("input-over", input === field && over && input.value !== "");
        }
        other.textContent = field === here.count ? say.toPoints : say.toCount;
      }
      if (!showPad) return;
      const codes = cardsOf(here);
      if (document.activeElement !== line) line.value = codes.join(" ");
      held.setAttribute("aria-label", here.name);
      held.replaceChildren(...codes.map(card));
      find("[data-sum]").textContent = codes.length || !free(here) ? pointsOf(codes) : "";
      find("[data-sum-name]").textContent = !codes.length && free(here) ? `${here.name}${say.colon}${say.free}` : here.name;
      const used = new Map();
      for (const seat of seats) for (const code of cardsOf(seat)) used.set(code, (used.get(code) ?? 0) + 1);
      for (const key of keys) key.setAttribute("aria-disabled", String((used.get(key.dataset.card) ?? 0) >= Number(key.dataset.copies)));
    }

    function drawMain() {
      if (main.disabled) return;  // a closed table shows what was typed, and saves nothing
      const following = next();
      // A button that would do nothing is none: a sentence says what is missing.
      const idle = out() === "" || (!following && here !== null && open(here));
      main.hidden = idle;
      missing.hidden = !idle || out() === "";
      missing.textContent = missing.hidden ? "" : words(say.enter, { name: here.name });
      main.textContent =
        following ? words(say.next, { name: following.name })
        : out() === "time" ? say.close
        : say.save;
    }

    function draw() {
      drawSeats();
      drawCards();
      drawMain();
    }

    function goTo(seat) {
      here = seat;
      field = null;
      over = true;
      draw();
      makeRoom();
    }

    // From the first tap on, notes above are one line, and no key is under the dock.
    function makeRoom() {
      document.documentElement.classList.toggle("entering", here !== null);
      const keys = [pad, digits].find((each) => each.offsetParent !== null), dock = main.closest(".dock");
      if (!keys || getComputedStyle(dock).position !== "sticky") return;
      const covered = keys.getBoundingClientRect().bottom - dock.getBoundingClientRect().top;
      if (covered <= 0) return;
      // The title leaves as a whole: a part of it would be cut off.
      const title = document.querySelector(".score-top")?.getBoundingClientRect().bottom ?? 0;
      scrollBy({ top: Math.ceil(Math.max(covered + 4, title)) });
    }

    // Who uses a keyboard goes on where the next thing is typed.
    function focusEntry() {
      if (here === null) return;
      const places = here.typing ? [here.count] : [line, pad.querySelector("button:not([hidden])")];
      places.find((place) => place.offsetParent !== null)?.focus({ preventScroll: true });
    }

    function takeBack(position) {
      const codes = cardsOf(here);
      codes.splice(position, 1);
      write(codes);
      held.scrollLeft = held.scrollWidth;
      (held.querySelectorAll("button")[Math.min(position, codes.length - 1)] ?? pad.querySelector("button:not([hidden])")).focus();
    }

    function add(key) {
      if (key.getAttribute("aria-disabled") === "true") {
        told.textContent = words(say.noneLeft, { card: key.getAttribute("aria-label") });
        return;
      }
      told.textContent = "";
      write([...cardsOf(here), key.dataset.card]);
      held.scrollLeft = held.scrollWidth;
    }

    // From cards to numbers and back: the numbers begin with the sums of the cards, and the cards come back untouched.
    function switchTyping() {
      if (here.typing) {
        here.cards.value = here.kept ?? "";
        here.count.value = here.points.value = "";
      } else {
        const codes = cardsOf(here);
        here.kept = here.cards.value;
        here.count.value = codes.length || "";
        here.points.value = codes.length ? pointsOf(codes) : "";
        here.cards.value = "";
      }
      here.typing = !here.typing;
      remember(here.typing);
      for (const seat of seats) if (!entered(seat) && !seat.count.value) seat.typing = here.typing;
      field = here.count;
      over = true;
      changed();
      if (here.typing) here.count.focus();
    }

    function digit(button, tapped) {
      const was = over ? "" : field.value;
      if (button === other) field = field === here.count ? here.points : here.count;
      else if (button.dataset.digit === "back") field.value = field.value.slice(0, -1);
      else if (was.length < 5) field.value = was.replace(/^0+/, "") + button.dataset.digit;
      over = button === other;
      changed();
      if (tapped) field.focus({ preventScroll: true });  // from the keyboard the focus stays on the key
    }

    form.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (!button) return;
      if (button.dataset.pick) {
        const seat = seats.find((each) => each.pick === button);
        if (out() === "") wentOut(seat.number);
        else if (seat.number === out()) wentOut("");
        else if (!isOver() || !free(seat)) goTo(seat);
        if (!event.detail) focusEntry();  // a key, and no tap
      } else if (button.dataset.card) add(button);
      else if (button.dataset.held) takeBack(Number(button.dataset.held));
      else if (button.dataset.hue) {
        for (const hue of hues) hue.setAttribute("aria-pressed", String(hue === button));
        for (const key of keys) key.hidden = key.dataset.color !== "" && key.dataset.color !== button.dataset.hue;
      } else if (button === nobody) wentOut(isOver() ? "" : "none");  // its label says what it does
      else if (button === time) wentOut("time");
      else if (button === typeInstead) switchTyping();
      else if (button === instead) itWas(here);
      else if (button.dataset.digit) digit(button, event.detail > 0);
      else if (button === main) advance(event);
    });
    form.addEventListener("focusin", (event) => {
      if (here?.typing && [here.count, here.points].includes(event.target)) {
        if (field !== event.target) over = true;
        field = event.target;
        drawCards();
      }
    });

    function advance(event) {
      const following = next();
      if (out() !== "" && !following && !(here && open(here))) return;  // complete: it submits
      event.preventDefault();
      goTo(following ?? here);
      if (out() === "") seats.find((seat) => !gone(seat)).pick.focus();
      else if (here.typing) here.count.focus();
      else if (!event.detail) focusEntry();
    }

    line.addEventListener("input", () => { here.cards.value = line.value.toUpperCase(); });
    line.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      event.preventDefault();
      line.value = "";
      if (next()) goTo(next());
      if (complete()) main.click();
      else focusEntry();
      line.value = here.cards.value;
    });

    form.addEventListener("input", (event) => {
      if (event.isTrusted) over = false;  // typed on a keyboard
      if (here) delete here.box.dataset.wrong;  // the server's word was on what stood there before
      draw();
    });
    form.addEventListener("submit", () => {  // wild.js sees to it that it is sent once
      main.textContent = say.saving;
      main.setAttribute("aria-disabled", "true");
    });
    window.addEventListener("pageshow", (event) => {
      if (!event.persisted) return;
      main.removeAttribute("aria-disabled");
      draw();
    }, { signal });
    document.addEventListener("wild:answer", () => {  // and the page is still this one
      main.removeAttribute("aria-disabled");
      draw();
    }, { signal });
    for (const failure of ["htmx:sendError", "htmx:responseError"])
      form.addEventListener(failure, (event) => {
        const line = document.createElement("p");
        line.className = "preview-hint";
        line.textContent = say.offline;
        event.target.replaceChildren(line);
      });

    form.addEventListener("scorer:refill", () => {
      for (const seat of seats) delete seat.box.dataset.wrong;
      refill();
    });
    refill();
    if (out() === "" && matchMedia("(pointer: fine)").matches && !document.querySelector("[aria-invalid=true]")) seats.find((seat) => !gone(seat))?.pick.focus({ preventScroll: true });
  }

  // Keep the screen on while a table is open for scoring, if the browser allows it (under https). The browser ends this
  // when the page is out of sight.
  let lock = null;
  async function stayAwake() {
    if (document.visibilityState !== "visible" || !document.querySelector("form[data-scorer]")) return;
    lock = await navigator.wakeLock?.request("screen").catch(() => null);  // refused, for example for a low battery
  }

  document.addEventListener("visibilitychange", stayAwake);
  document.addEventListener("wild:page", ({ detail: { signal } }) => {
    const forms = document.querySelectorAll("form[data-scorer]");
    for (const form of forms) scorer(form, signal);
    stayAwake();
    if (forms.length) signal.addEventListener("abort", leave);
  });

  function leave() {
    document.documentElement.classList.remove("entering");
    lock?.release();
    lock = null;
  }
})();
