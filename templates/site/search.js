// Finds players, leagues and games of which all words are told, in any case and without regard to accents.
"use strict";

const MOST = 50;
const form = document.getElementById("search");
const field = document.getElementById("words");
const count = document.getElementById("count");
const found = document.getElementById("found");

const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
const names = new Map(ARCHIVE.players.map(([number, name]) => [number, name]));
const sides = (game) => game[1].map((one) => names.get(one) ?? one).join(" against ");
const PLAYERS = ARCHIVE.players.map((player) => [plain(player[1]), player]);
const LEAGUES = ARCHIVE.leagues.map((season) => [plain(`${season[1]} ${season[2]}`), season]);
const GAMES = ARCHIVE.games.map((game) => [plain(`${game[0]} ${sides(game)} ${game.slice(2).join(" ")}`), game]);

function matching(entries, words) {
  return entries.filter(([text]) => words.every((word) => text.includes(word))).map(([, entry]) => entry);
}

function list(heading, entries, describe) {
  if (!entries.length) return;
  const title = document.createElement("h2");
  title.textContent = heading;
  const items = document.createElement("ul");
  items.className = "plain";
  for (const entry of entries.slice(0, MOST)) {
    const [file, name, more] = describe(entry);
    const link = document.createElement("a");
    link.href = file;
    link.textContent = name;
    const item = document.createElement("li");
    item.append(link, more);
    items.append(item);
  }
  found.append(title, items);
  if (entries.length > MOST) {
    const rest = document.createElement("p");
    rest.textContent = `${entries.length - MOST} more: add another word.`;
    found.append(rest);
  }
}

const some = (number, one, many) => `${number} ${number === 1 ? one : many}`;

function search() {
  const words = plain(field.value).split(/\s+/).filter(Boolean);
  found.replaceChildren();
  count.textContent = "";
  if (!words.length) return;
  const players = matching(PLAYERS, words);
  const leagues = matching(LEAGUES, words);
  const games = matching(GAMES, words);
  const counts = [
    some(players.length, "player", "players"),
    ...(leagues.length ? [some(leagues.length, "season", "seasons")] : []),
    some(games.length, "game", "games"),
  ];
  count.textContent = players.length || leagues.length || games.length ? counts.join(", ") : "Nothing is found.";
  list("Players", players, ([number, name, played]) => [
    `players/${number}.html`,
    name,
    `, ${some(played, "game", "games")}`,
  ]);
  list("Leagues", leagues, ([file, name, more]) => [file, name, `, ${more}`]);
  list("Games", games, (game) => [
    `games/${game[0]}.html`,
    sides(game),
    `, ${[game[0], ...game.slice(2)].filter(Boolean).join(", ")}`,
  ]);
}

document.getElementById("without").hidden = true;
form.hidden = false;
form.addEventListener("submit", (event) => event.preventDefault());
field.addEventListener("input", search);
field.focus();
search();
