// Keeps the page of a season that is being played up to date for as long as it is open on a server.
"use strict";

const EVERY = 5 * 60 * 1000; // milliseconds
const line = document.getElementById("live");
const wanted = line.querySelector("input");
const told = line.querySelector("[role=status]");
const table = document.getElementById("season");

// We change nothing under somebody who has marked words, or whose keyboard stands on a link or a table.
const isBusy = () => table.contains(document.activeElement) || !document.getSelection().isCollapsed;

async function renew() {
  if (document.hidden || line.hidden || !wanted.checked || isBusy()) return;
  let answer;
  try {
    answer = await fetch(location.pathname, { cache: "no-cache" });
  } catch {
    return; // offline: we ask again later
  }
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const newest = page.getElementById("season");
  if (!newest || newest.innerHTML === table.innerHTML) return;
  table.replaceChildren(...newest.childNodes);
  line.hidden = !page.getElementById("live"); // a season that is over changes no more
  told.textContent = `Updated at ${new Date().toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })}.`;
}

if (location.protocol !== "file:") {
  line.hidden = false;
  setInterval(renew, EVERY);
  document.addEventListener("visibilitychange", renew);
}
