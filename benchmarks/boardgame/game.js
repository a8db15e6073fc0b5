// A card game of the UNO family for boardgame.io, as its documentation writes one: the classic deck, drawing and playing
// what was drawn as moves of their own, and hands that only their player sees. A hand that is over is dealt anew.
"use strict";

const { INVALID_MOVE } = require("boardgame.io/core");

const COLORS = ["R", "Y", "G", "B"];
const CARDS = 7;

function deck() {
  const cards = ["W", "WD"].flatMap((wild) => Array(4).fill(wild));
  for (const color of COLORS) {
    cards.push(`${color}0`);
    for (const face of "123456789SRD") cards.push(color + face, color + face);
  }
  return cards;
}

function dealt(random, players) {
  const cards = random.Shuffle(deck());
  const hands = Array.from({ length: players }, () => cards.splice(0, CARDS));
  const first = cards.findIndex((card) => !card.startsWith("W"));
  const [top] = cards.splice(first, 1);
  return { deck: cards, discard: [top], hands, color: top[0], direction: 1, drawn: null };
}

function fits(G, card) {
  const top = G.discard[G.discard.length - 1];
  return card.startsWith("W") || card[0] === G.color || (!top.startsWith("W") && card[1] === top[1]);
}

function draw(G, random, seat, count) {
  for (let n = 0; n < count; n++) {
    if (!G.deck.length) {
      const top = G.discard.pop();
      G.deck = random.Shuffle(G.discard);
      G.discard = [top];
    }
    if (!G.deck.length) return;
    G.hands[seat].push(G.deck.pop());
  }
}

function after(G, ctx, steps) {
  return (Number(ctx.currentPlayer) + steps * G.direction + 2 * ctx.numPlayers) % ctx.numPlayers;
}

const moves = {
  play({ G, ctx, events, random }, card, color) {
    const seat = Number(ctx.currentPlayer);
    const at = G.hands[seat].indexOf(card);
    if (at < 0 || !fits(G, card) || (G.drawn !== null && card !== G.drawn)) return INVALID_MOVE;
    if (card.startsWith("W") && !COLORS.includes(color)) return INVALID_MOVE;
    G.hands[seat].splice(at, 1);
    G.discard.push(card);
    G.color = card.startsWith("W") ? color : card[0];
    G.drawn = null;
    G.moves += 1;
    if (card[1] === "R") G.direction = -G.direction;
    const next = after(G, ctx, 1);
    if (card[1] === "D") draw(G, random, next, card === "WD" ? 4 : 2);
    if (!G.hands[seat].length) Object.assign(G, dealt(random, ctx.numPlayers));
    events.endTurn({ next: String("SD".includes(card[1]) ? after(G, ctx, 2) : next) });
  },

  draw({ G, ctx, random }) {
    const seat = Number(ctx.currentPlayer);
    if (G.drawn !== null) return INVALID_MOVE;
    const before = G.hands[seat].length;
    draw(G, random, seat, 1);
    G.drawn = G.hands[seat].length > before ? G.hands[seat][before] : "";
    G.moves += 1;
  },

  pass({ G, events, ctx }) {
    if (G.drawn === null) return INVALID_MOVE;
    G.drawn = null;
    G.moves += 1;
    events.endTurn({ next: String(after(G, ctx, 1)) });
  },
};

// The draws are hidden, so they are made by the server alone.
const onServer = (move) => ({ move, client: false });

exports.fits = fits;
exports.game = {
  name: "wild",
  minPlayers: 2,
  maxPlayers: 10,
  setup: ({ ctx, random }) => ({ moves: 0, ...dealt(random, ctx.numPlayers) }),
  turn: { minMoves: 1 },
  moves: Object.fromEntries(Object.entries(moves).map(([name, move]) => [name, onServer(move)])),
  disableUndo: true,
  playerView: ({ G, ctx, playerID }) => {
    const { deck, hands, drawn, ...open } = G;
    return {
      ...open,
      pile: deck.length,
      counts: hands.map((hand) => hand.length),
      cards: hands[playerID] || [],
      drawn: drawn === null || playerID === ctx.currentPlayer ? drawn : "",
    };
  },
};
