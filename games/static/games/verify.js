// A referee for the log of a hand (docs/rules.md, "The log of a hand"), so that nobody has to take the server's word for it:
// the seal, the shuffle, every card and every line. It is written from the rule book, takes nothing from the engine, and asks
// nobody for anything. With it go shuffle.js and loglines.js.
//
//   wildVerify.verify(text) → {hands, first, fault}
//   first: of the first hand {names, edition, dealer, seed, commitment, entropy, cards, lines}; null if not even that can be read
//   fault: null, or the first line that the rules do not give: {hand, n, line, rule, code, expected, found}; `line` counts
//   the lines of the file from 1, `code` says what is wrong, `expected` and `found` are a line of the log as far as it differs
"use strict";
globalThis.wildVerify = (() => {
  const { COLORS, EDITIONS, Stream, bytesOf, deckOf, faceOf, hexOf, isHex, isWild, joined, pointsOf, sha256 } = wildShuffle;
  const { Fault, flag, read, same, shaped, told, whole } = wildLines;

  const OPTIONS = ["penalise_wrong_card", "stacking", "draw_until_playable", "no_bluff", "must_play"];
  const SENT_BACK = ["WD", "WL", "WI"];  // OPEN-6
  const CUT = Symbol("the lines are over where somebody has a choice");
  const sumOf = (numbers) => numbers.reduce((sum, number) => sum + number, 0);

  // --- One hand, played through by its lines in the order of the rules. `lines`: those that no undo made void. It expects
  // the lines that follow from the rules (`expect`), and checks whether what somebody chooses is allowed (`look`).

  class Hand {
    constructor(lines, seed) {
      Object.assign(this, { lines, seed, at: 0, line: lines[0], choices: new Set() });
      Object.assign(this, { direction: 1, windows: new Set(), passes: 0, turns: 0, scarce: 0, winner: null });
    }

    run() {
      this.start();
      this.deal();
      this.open();
      let why;
      while (!(why = this.whyOver())) this.turn();
      this.over(why);
      if (this.at < this.lines.length) throw new Fault(this.lines[this.at], "OUT-1", "after-end");
    }

    whyOver() {  // the rule by which the hand is over instead of another turn
      if (this.winner !== null) return "OUT-1";
      if (this.passes === this.players) return "PLAY-7";
      if (this.version > 1) {
        this.scarce = this.pile.length + this.discard.length <= 5 ? this.scarce + 1 : 0;
        if (this.scarce === 10 * this.players || this.turns === 500 * this.players) return "PLAY-8";
      }
      this.turns += 1;
      return "";
    }

    // Reading

    must(right, rule, code, expected, found) { if (!right) throw new Fault(this.line, rule, code, expected, found); }

    look() {  // the next line, where somebody has a choice: a director can go back to such places
      if (this.at === this.lines.length) throw CUT;
      this.choices.add(this.lines[this.at - 1].n);
      this.line = this.lines[this.at];
      return this.line;
    }

    expect(rule, right) {  // the line that the rules give here
      const line = this.lines[this.at];
      if (!line) throw new Fault({ ...this.line, n: this.line.n + 1, line: this.line.line + 1 }, rule, "expected", told(right));
      this.line = line;
      this.must(line.type === right.type, rule, "expected", told(right), told(line));
      const differs = Object.keys(right).filter((name) => !same(right[name], line[name]));
      this.must(!differs.length, rule, "expected", told(right, ["seat", ...differs]), told(line, ["seat", ...differs]));
      this.at += 1;
      return line;
    }

    by(seat, rule) {
      this.must(this.line.seat === seat, rule, "turn", `${this.line.type} seat=${seat}`, told(this.line, ["seat"]));
    }

    isSeat(seat) { return seat >= 0 && seat < this.players; }

    after(seat) { return (seat + this.direction + this.players) % this.players; }

    go(seat, why) { Object.assign(this, { toPlay: seat % this.players, why }); }  // it is this seat's turn, by this rule

    // Setup

    start() {
      const { log: version, players, edition, dealer, teams, options, commitment, promised, entropy } = this.lines[0];
      this.at = 1;
      const { scoring, ...others } = options;
      const known = Object.entries(others).every(([name, on]) => flag(on) && (!on || OPTIONS.includes(name)));
      this.must(known && ["winner-takes", "lowest-total", "challenge"].includes(scoring), "LOG", "options");
      this.must(players.length >= 2 && players.length <= 10 && (!teams || players.length === 4), "LOG", "players");
      Object.assign(this, { version, edition: EDITIONS[edition], players: players.length, dealer, teams, scoring, options });
      this.must(this.isSeat(dealer), "LOG", "dealer");
      const given = entropy.filter((extra) => extra !== null);
      const fits = entropy.length === this.players && given.every((extra) => isHex(extra) && extra.length <= 64);
      this.must(fits, "LOG", "entropy");
      if (version > 1) this.promises(promised, entropy);
      this.must(isHex(this.seed) && this.seed.length === 144, "SHUFFLE", "seed");
      const seed = bytesOf(this.seed);
      this.must(hexOf(sha256(seed)) === commitment.toLowerCase(), "SHUFFLE", "commitment");
      this.stream = new Stream(joined([seed, ...given.map(bytesOf)]));
      this.deck = this.stream.shuffled(deckOf(this.edition));
    }

    promises(promised, entropy) {  // each seat opened what it had promised; who promised nothing opened nothing
      const told = (hash) => hash === null || /^[0-9a-f]{64}$/.test(hash);
      this.must(promised?.length === this.players && promised.every(told), "LOG", "promised");
      entropy.forEach((extra, seat) => {
        const kept = extra === null || (promised[seat] !== null && hexOf(sha256(bytesOf(extra))) === promised[seat]);
        this.must(kept, "SHUFFLE", "promise", `seat=${seat}`);
      });
    }

    deal() {  // DEAL-4; the lines may stand in any order
      const dealt = 7 * this.players, missing = new Set(this.deck.slice(0, this.players).keys());
      this.pile = this.deck.slice(dealt);
      this.held = [...missing].map((seat) => {
        const first = (seat - this.dealer - 1 + this.players) % this.players;
        return this.deck.slice(0, dealt).filter((_card, at) => at % this.players === first);
      });
      while (missing.size) {
        const next = this.lines[this.at], seat = next?.type === "deal" && missing.has(next.seat) ? next.seat : [...missing][0];
        this.expect("DEAL-4", { type: "deal", seat, cards: this.held[seat] });
        missing.delete(seat);
      }
    }

    open() {
      let card = this.turnUp();
      while (SENT_BACK.includes(card)) {
        this.reshuffle([...this.pile, card], "OPEN-6");
        card = this.turnUp();
      }
      Object.assign(this, { discard: [card], color: card[0] });
      const left = (this.dealer + 1) % this.players, face = faceOf(card);
      if (face === "D") {  // INV-5: nobody is asked
        this.draws(left, this.edition.draws, "draw-card", "OPEN-2");
        this.go(left + 1, "OPEN-2");
      } else if (face === "R") {
        this.direction = -1;
        this.go(this.dealer, "OPEN-3");
      } else {
        this.go(face === "S" ? left + 1 : left, face === "S" ? "OPEN-4" : isWild(card) ? "OPEN-5" : "OPEN-1");
      }
      if (!isWild(card)) return;
      this.must(this.look().type === "color", "OPEN-5", "expected", `color seat=${left}`, told(this.line));
      this.by(left, "OPEN-5");
      this.color = this.chosen("OPEN-5");
      this.at += 1;
    }

    turnUp() {
      const card = this.pile.shift(), returned = SENT_BACK.includes(card);
      this.expect(returned ? "OPEN-6" : "DEAL-4", { type: "turn_up", card, returned });
      return card;
    }

    chosen(rule) {
      this.must(COLORS.includes(this.line.color), rule, "color");
      return this.line.color;
    }

    // A turn

    turn() {
      const seat = this.toPlay;
      this.calls();
      let drawn = null;
      if (["draw", "reshuffle"].includes(this.line.type)) {
        drawn = this.turnDraw(seat);
        this.calls();
      }
      const { type, reason } = this.line;
      const wrong = type === "penalty" && reason === "wrong-card";
      const may = type === "play" || type === "pass" || wrong;
      this.must(may, this.why, "turn", `${drawn === null ? "play or draw" : "play or pass"} seat=${seat}`, told(this.line));
      this.by(seat, this.why);
      if (type === "play") this.effect(seat, this.play(seat, { drawn }));
      else if (type === "pass") this.pass(seat, drawn);
      else this.wrongCard(seat, drawn);
    }

    turnDraw(seat) {  // PLAY-2; the card that may be played at once
      if (this.line.type === "draw") this.by(seat, this.why);
      this.must(this.leftToDraw(), "PLAY-7", "nothing-to-draw");
      this.must(!this.obliged(seat), "must_play", "must-play");
      if (!this.edition.lateWindow) this.windows.clear();  // UNO-3
      const fits = (card) => this.playable(seat, card);
      const drawn = this.options.draw_until_playable
        ? this.draws(seat, Infinity, "turn", "draw_until_playable", fits) : this.draws(seat, 1, "turn", "PLAY-2");
      return drawn.at(-1);
    }

    obliged(seat, cards = this.held[seat]) {  // never to a bluff (WD4-2)
      const has = (card) => this.playable(seat, card) && !(card === "WD" && this.holdsColor(seat));
      return this.options.must_play && cards.some(has);
    }

    pass(seat, drawn) {
      if (drawn === null) {
        this.must(!this.leftToDraw(), "PLAY-7", "draw-first");
        this.passes += 1;
      }
      this.must(!this.obliged(seat, drawn === null ? undefined : [drawn]), "must_play", "must-play");
      this.at += 1;
      this.windows.clear();  // UNO-3, UNO-5
      this.go(this.after(seat), "PLAY-3");
    }

    wrongCard(seat, drawn) {  // PEN-1, in the place of the play
      const could = drawn !== null || this.held[seat].some((card) => !this.playable(seat, card));
      this.must(this.options.penalise_wrong_card && could, "PEN-1", "no-penalty");
      this.at += 1;
      this.windows.clear();
      this.passes = 0;
      this.draws(seat, 2, "penalty", "PEN-1");
      this.go(this.after(seat), "PEN-1");
    }

    calls() {  // what may stand before a turn, between its draw and its play or pass, and before an answer
      for (;;) {
        const { type, seat, by, reason } = this.look();
        if (type === "penalty" ? reason !== "suggestion" : type !== "uno" && type !== "catch") return;
        this.must(this.isSeat(seat), "LOG", "seat");
        this.at += 1;
        if (type === "penalty") {
          this.draws(seat, 2, "penalty", "PEN-2");
          continue;
        }
        this.must(this.windows.delete(seat), "UNO-2", "window");
        if (type === "catch") {
          this.must(by !== seat && this.isSeat(by), "UNO-2", "seat");
          this.draws(seat, 2, "uno", "UNO-2");
        }
      }
    }

    // Playing a card

    playable(seat, card) {  // PLAY-1, PLAY-4, PLAY-5; a Wild Draw Four may be a bluff unless `no_bluff`
      if (isWild(card)) return !(card === "WD" && this.options.no_bluff && this.holdsColor(seat));
      return card[0] === this.color || faceOf(card) === faceOf(this.discard.at(-1));
    }

    holdsColor(seat) { return this.held[seat].some((card) => card[0] === this.color); }  // WD4-2

    play(seat, { drawn = null, cancel = false, begins = true }) {
      const { card, color, target, uno } = this.line, held = this.held[seat];
      this.must(held.includes(card), "PLAY-1", "not-held");
      this.must(this.line.cancel === cancel && (!cancel || card === "WI"), "INV-1", "cancel");
      this.must(this.line.drawn === (drawn !== null) && (drawn === null || drawn === card), "PLAY-2", "drawn-card", drawn ?? "");
      this.must(this.playable(seat, card), card === "WD" ? "no_bluff" : "PLAY-1", "does-not-fit", this.discard.at(-1) + " " + this.color);
      const guilty = this.holdsColor(seat);
      held.splice(held.indexOf(card), 1);
      this.discard.push(card);
      if (!isWild(card)) this.must(color === null, "LOG", "color");
      this.color = isWild(card) ? this.chosen("PLAY-4") : card[0];
      this.checkTarget(seat, card, target);
      this.must(!uno || held.length === 1, "UNO-1", "uno-early");
      if (begins) this.windows.clear();  // UNO-3, and before what the card does: UNO-5
      if (held.length === 1 && !uno) this.windows.add(seat);  // UNO-2
      if (!held.length) this.winner = seat;  // OUT-1
      this.passes = 0;
      this.at += 1;
      return { card, guilty, target };
    }

    checkTarget(seat, card, target) {
      const rule = { WH: this.edition.hat, WL: "HOW-1" }[card];
      const wanted = rule === "HAT-2" || (rule && (this.held[seat].length || target !== null));
      if (!wanted) this.must(target === null, "LOG", "target");
      else if (rule === "HAT-2") this.must(target === this.after(seat), rule, "target", `seat=${this.after(seat)}`);
      else this.must(whole(target) && this.isSeat(target) && target !== seat, rule, "target");
    }

    // What a card does; `due` cards were handed on to it (`stacking`)

    effect(seat, { card, guilty, target }, due = 0) {
      const face = faceOf(card), next = this.after(seat);
      if (face === "D" || card === "WD") {
        this.makesDraw(seat, card, guilty, due);
      } else if (this.winner !== null) {  // OUT-2: nothing else happens
      } else if (face === "R" && this.players > 2) {
        this.direction = -this.direction;
        this.go(this.after(seat), "ACT-2");
      } else if (face === "S" || face === "R") {  // TWO-1
        if (this.answer(next, card, "INV-4") === "cancel") this.cancel(next);
        else this.go(this.after(next), face === "S" ? "ACT-3" : "TWO-1");
      } else if (card === "WH") {
        this.draws(target, Infinity, "sorting-hat", this.edition.hat, (drawn) => !isWild(drawn) && "1234".includes(drawn[1]));  // HAT-3
        this.go(next, this.edition.hat);
      } else if (card === "WL") {
        if (this.answer(target, card, "INV-4") === "cancel") {  // not that player's turn: INV-2
          this.by(target, "INV-1");
          this.play(target, { cancel: true, begins: false });
        } else {
          this.show(target, "all", this.held[target], "howler", "HOW-1");
        }
        this.go(next, "HOW-1");
      } else {
        this.go(next, "PLAY-1");
      }
    }

    makesDraw(seat, card, guilty, due) {  // ACT-1, WD4-1 to WD4-6, `stacking`
      const wild = card === "WD", victim = this.after(seat), sum = due + (wild ? 4 : this.edition.draws);
      const reason = wild ? "wild-draw-four" : "draw-card", rule = wild ? "WD4-1" : "ACT-1";
      if (this.winner !== null) {
        this.draws(victim, sum, reason, "OUT-2");
        return;
      }
      const answer = this.answer(victim, card, rule);
      if (answer === "cancel") {
        this.cancel(victim);
      } else if (answer === "stack") {
        this.effect(victim, this.play(victim, {}), sum);
      } else if (answer === "challenge") {
        this.challenge(victim, seat, guilty, sum);
      } else {
        this.draws(victim, sum, reason, rule);
        this.go(this.after(victim), rule);
      }
    }

    answer(seat, card, rule) {  // accept (said only if asked), challenge, cancel or stack
      const wild = card === "WD", asked = wild || this.edition.asks;  // WD4-3, INV-4
      const stacks = this.options.stacking && (wild || faceOf(card) === "D");
      if (!asked && !stacks) return "accept";
      this.calls();
      const { type, card: played, cancel, seat: who } = this.line;
      if (type === "play" && this.edition.asks && cancel) return "cancel";
      if (type === "play") {
        if (!asked && !this.leftToDraw() && who !== seat) return "accept";  // drawing nothing leaves no line
        this.by(seat, rule);
        this.must(stacks && this.held[seat].includes(played) && faceOf(played) === faceOf(card), rule, "answer");
        return "stack";
      }
      if (wild && type === "challenge") return "challenge";
      if (asked) this.expect(rule, { type: "accept", seat });
      return "accept";
    }

    cancel(seat) {  // INV-2: it is that player's turn
      this.by(seat, "INV-1");
      this.play(seat, { cancel: true });
      this.go(this.after(seat), "INV-2");
    }

    challenge(challenger, seat, guilty, due) {
      this.expect(this.line.seat === challenger ? "WD4-2" : "WD4-3", { type: "challenge", seat: challenger, guilty });
      this.show(seat, challenger, this.held[seat], "challenge", "WD4-3");
      if (guilty) this.draws(seat, due, "bluff", "WD4-4");
      else this.draws(challenger, due + 2, "challenge-lost", "WD4-5");
      this.go(guilty ? challenger : this.after(challenger), guilty ? "WD4-4" : "WD4-5");
    }

    show(seat, to, cards, reason, rule) {  // the order of the cards means nothing
      const next = this.lines[this.at], inAnyOrder = next?.type === "show" && same([...next.cards].sort(), [...cards].sort());
      this.expect(rule, { type: "show", seat, to, cards: inAnyOrder ? next.cards : [...cards].sort(), reason });
    }

    // Drawing

    leftToDraw() { return this.pile.length > 0 || this.discard.length > 1; }

    draws(seat, count, reason, rule, until = () => false) {  // with all its parts; what there is (PLAY-7, HAT-4)
      const drawn = [];
      let enough = false;
      while (drawn.length < count && !enough && this.leftToDraw()) {
        if (!this.pile.length) this.reshuffle(this.discard.splice(0, this.discard.length - 1), "PLAY-6");
        const part = [];
        let creeper = false;
        while (this.pile.length && drawn.length + part.length < count && !enough && !creeper) {
          const card = this.pile.shift();
          part.push(card);
          this.held[seat].push(card);
          creeper = card === "WC" && reason !== "creeper";  // CRP-1, CRP-2
          enough = until(card);
        }
        this.expect(rule, { type: "draw", seat, cards: part, reason });
        drawn.push(...part);
        if (creeper) {  // before the rest of the draw
          this.show(seat, "all", ["WC"], "creeper", "CRP-1");
          this.draws(seat, 3, "creeper", "CRP-1");
        }
      }
      return drawn;
    }

    reshuffle(cards, rule) {
      this.pile = this.stream.shuffled(cards);
      this.expect(rule, { type: "reshuffle", cards: [...this.pile] });
    }

    // The end

    over(why) {
      const left = this.held.map((cards) => sumOf(cards.map(pointsOf))), blocked = this.winner === null;
      this.expect(why, { type: "end", winner: this.winner });
      this.at -= 1;
      this.expect("SCORE-1", { type: "end", points: left });
      this.at -= 1;
      this.expect(this.scoring === "winner-takes" ? (blocked ? "SCORE-6" : "SCORE-2") : "SCORE-3", { type: "end", scores: this.scores(left) });
      this.must(same(this.line.deck, this.deck), "SHUFFLE", "deck");
    }

    scores(left) {
      const isMate = (seat, other) => seat === other || (this.teams && (seat + 2) % 4 === other);
      return left.map((_points, seat) => {
        if (this.scoring !== "winner-takes") return sumOf(left.filter((_points, other) => isMate(seat, other)));  // SCORE-3, SCORE-4
        if (this.winner === null || !isMate(this.winner, seat)) return 0;  // SCORE-6
        return sumOf(left.filter((_points, other) => !isMate(this.winner, other)));  // SCORE-2, TEAM-3
      });
    }
  }

  // Moves that a director took back were legal when they happened; then the hand goes on from a place with a choice.
  function referee(records) {
    const lines = records.map((record, n) => shaped(record, n, records[0].hand)), { seed } = lines.find(({ type }) => type === "end");
    let standing = [];
    for (const line of lines) {
      if (line.type !== "undo") {
        standing.push(line);
        continue;
      }
      const undone = new Hand(standing, seed);
      const over = !cutShort(undone, line);
      if (over || !undone.choices.has(line.to)) throw new Fault(line, "LOG", "undo");
      standing = standing.filter(({ n }) => n <= line.to);
    }
    if (cutShort(new Hand(standing, seed), lines.at(-1))) throw new Fault(lines.at(-1), "OUT-1", "not-over");
  }

  function cutShort(hand, last) {  // whether the lines are over before the hand is; `last` stands where a line is missing
    try {
      hand.run();
      return false;
    } catch (thrown) {
      if (thrown === CUT) return true;
      if (thrown instanceof Fault && !thrown.found && thrown.n > hand.lines.at(-1).n && last.type === "undo") {
        Object.assign(thrown, { n: last.n, line: last.line, found: told(last) });
      }
      throw thrown;
    }
  }

  function verify(file) {
    let first = null;
    try {
      const hands = read(file);
      for (const hand of hands) {
        referee(hand);
        const { players, edition, dealer, commitment, entropy } = hand[0], { deck, seed } = hand.find(({ type }) => type === "end");
        first ??= { names: players, edition, dealer, seed, commitment, entropy, cards: deck.length, lines: hand.length };
      }
      return { hands: hands.length, first, fault: null };
    } catch (fault) {
      if (!(fault instanceof Fault)) throw fault;
      return { hands: 0, first, fault: { ...fault } };
    }
  }

  return { verify, Hand };
})();
