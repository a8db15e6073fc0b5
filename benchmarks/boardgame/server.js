// boardgame.io's server with its PostgreSQL storage, as its documentation starts one.
//     node server.js PORT DATABASE FOLDER-OF-THE-SOCKET
"use strict";

const { Server } = require("boardgame.io/server");
const { PostgresStore } = require("bgio-postgres");
const { game } = require("./game.js");

const [port, database, host] = process.argv.slice(2);
const db = new PostgresStore({ database, host, username: "postgres", logging: false, pool: { max: 10 } });

Server({ games: [game], db, origins: [/localhost/] }).run(Number(port), () => console.log("ready"));
