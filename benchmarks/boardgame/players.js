// Players at boardgame.io tables: each has a socket of its own, knows what the server tells it, and plays the first card
// that fits. What benchmarks/players.py does at ours.
//     node players.js PORT TABLES PACE WARM-UP SECONDS        PACE: moves a second of all tables, 0 for closed loop
// Prints "begin" and "end" around what is counted, then one JSON object; times in seconds.
"use strict";

const { performance } = require("node:perf_hooks");
const { io } = require("socket.io-client");
const { fits, game } = require("./game.js");

const SEATS = 4;
const STUCK = 20; // seconds without a move, after which something is wrong with this measurement
const [port, tables, pace, warmUp, seconds] = process.argv.slice(2).map(Number);
const server = `http://127.0.0.1:${port}`;
const tally = { moves: 0, late: 0, looks: 0, answered: [], seen: [] };
let start;
const begun = new Promise((done) => {
  start = done;
});
let begin = Infinity;
let end = Infinity;

const now = () => performance.now() / 1000;
const counts = (moment) => begin <= moment && moment < end;
const wait = (time) => new Promise((done) => setTimeout(done, 1000 * Math.max(0, time)));

async function post(path, body) {
  const answer = await fetch(`${server}/games/${game.name}${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.json();
}

class Table {
  constructor(match) {
    this.match = match;
    this.every = pace ? tables / pace : 0;
    this.next = 0; // when the next move is due; none before all are there
    this.sent = new Map(); // number of a move: when
    this.moved = now();
  }

  // Wait until a move is due; whether it is late.
  async turn() {
    await begun;
    if (!this.every) return false;
    const left = this.next - now();
    this.next = Math.max(this.next, now() - this.every) + this.every;
    await wait(left);
    return left < 0;
  }
}

class Player {
  constructor(table, seat, credentials) {
    Object.assign(this, { table, seat: String(seat), credentials, known: -1 });
    this.socket = io(`${server}/${game.name}`, { transports: ["websocket"], forceNew: true });
    this.socket.on("connect", () => this.socket.emit("sync", table.match, this.seat, credentials, SEATS));
    this.there = new Promise((done) => this.socket.once("sync", done));
    this.socket.on("sync", (_match, { state }) => this.take(state));
    this.socket.on("update", (_match, state) => this.take(state));
  }

  take(state) {
    const { moves } = state.G;
    if (counts(now())) tally.looks += 1;
    if (moves <= this.known) return;
    for (let number = this.known + 1; number <= moves; number++) {
      const sent = this.table.sent.get(number);
      if (sent !== undefined && counts(sent.at)) (sent.by === this ? tally.answered : tally.seen).push(now() - sent.at);
    }
    this.known = moves;
    if (state.ctx.currentPlayer === this.seat) this.move(state);
  }

  async move(state) {
    const late = await this.table.turn();
    const [type, ...args] = chosen(state.G);
    const { table } = this;
    const at = now();
    table.moved = at;
    table.sent.set(state.G.moves + 1, { at, by: this });
    table.sent.delete(state.G.moves - 100);
    if (counts(at)) {
      tally.moves += 1;
      tally.late += late;
    }
    const payload = { type, args, playerID: this.seat, credentials: this.credentials };
    this.socket.emit("update", { type: "MAKE_MOVE", payload }, state._stateID, table.match, this.seat);
  }
}

function chosen(G) {
  const card = G.drawn === null ? G.cards.find((one) => fits(G, one)) : fits(G, G.drawn || "-") && G.drawn;
  if (card) return card.startsWith("W") ? ["play", card, "R"] : ["play", card];
  return [G.drawn === null ? "draw" : "pass"];
}

async function main() {
  const sitting = [];
  for (let number = 0; number < tables; number++) {
    const { matchID } = await post("/create", { numPlayers: SEATS });
    const table = new Table(matchID);
    sitting.push(table);
    table.players = [];
    for (let seat = 0; seat < SEATS; seat++) {
      const named = { playerID: String(seat), playerName: `Player ${seat}` };
      table.players.push((await post(`/${matchID}/join`, named)).playerCredentials);
    }
  }
  const players = sitting.flatMap((table) => table.players.map((own, seat) => new Player(table, seat, own)));
  await Promise.all(players.map((player) => player.there));
  sitting.forEach((table, number) => {
    table.next = now() + number / (pace || 1);
  });
  start();
  await wait(warmUp);
  begin = now();
  end = begin + seconds;
  console.log("begin");
  await wait(seconds);
  console.log("end");
  await wait(1); // for the last moves to be seen
  const stuck = sitting.filter((table) => now() - table.moved > STUCK + (table.every || 0)).length;
  if (stuck) throw new Error(`${stuck} tables stand still.`);
  process.stdout.write(`${JSON.stringify(tally)}\n`, () => process.exit(0));  // a pipe takes 64 KB at once
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
