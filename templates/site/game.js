// A game one step at a time: buttons, arrow keys, and links such as #turn-7. Without this script all steps stand below
// each other.
"use strict";

const root = document.documentElement;
root.classList.add("stepping");

document.addEventListener("DOMContentLoaded", () => {
  const steps = [...document.querySelectorAll(".step")];
  const links = [...document.querySelectorAll("#turns a")];
  const strip = document.getElementById("turns");
  const buttons = {};
  const said = document.createElement("output");
  said.className = "hidden";
  let now = -1;

  function show(at) {
    now = Math.max(0, Math.min(at, steps.length - 1));
    steps.forEach((step, number) => step.classList.toggle("current", number === now));
    links.forEach((link, number) => {
      if (number === now) link.setAttribute("aria-current", "step");
      else link.removeAttribute("aria-current");
    });
    buttons.First.disabled = buttons.Previous.disabled = now === 0;
    buttons.Last.disabled = buttons.Next.disabled = now === steps.length - 1;
    strip.scrollLeft = links[now].offsetLeft - (strip.clientWidth - links[now].clientWidth) / 2;
    said.textContent = `${steps[now].querySelector("h2").textContent}, ${now + 1} of ${steps.length}`;
  }

  function go(at) {
    if (root.classList.contains("stepping")) {
      show(at);
      history.replaceState(null, "", `#${steps[now].id}`);
    }
  }

  function follow(otherwise) {
    const at = steps.findIndex((step) => `#${step.id}` === location.hash);
    if (at >= 0 || otherwise >= 0) show(at >= 0 ? at : otherwise);
  }

  function button(label, act, sign = label, key = "") {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = sign;
    if (key) {
      made.setAttribute("aria-label", label);
      made.title = `${label} (${key})`;
    }
    made.addEventListener("click", act);
    buttons[label] = made;
    return made;
  }

  const all = button("All turns", () => {
    const one = root.classList.toggle("stepping");
    all.setAttribute("aria-pressed", String(!one));
    bar.classList.toggle("all", !one);
    steps[now].scrollIntoView();
  });
  all.setAttribute("aria-pressed", "false");

  const bar = document.createElement("div");
  bar.className = "stepper";
  bar.setAttribute("role", "group");
  bar.setAttribute("aria-label", "Steps of the game");
  bar.append(
    button("First", () => go(0), "«", "Home"),
    button("Previous", () => go(now - 1), "‹", "left arrow"),
    button("Next", () => go(now + 1), "›", "right arrow"),
    button("Last", () => go(steps.length - 1), "»", "End"),
    said,
  );
  strip.before(bar);
  bar.append(strip, all);

  const keys = {
    ArrowLeft: () => now - 1,
    ArrowRight: () => now + 1,
    Home: () => 0,
    End: () => steps.length - 1,
  };
  document.addEventListener("keydown", (event) => {
    const other = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
    if (other || !(event.key in keys) || !root.classList.contains("stepping")) return;
    if (event.target.closest("input, textarea, select, pre")) return;
    event.preventDefault();
    go(keys[event.key]());
  });
  links.forEach((link, number) =>
    link.addEventListener("click", (event) => {
      if (!root.classList.contains("stepping")) return;
      event.preventDefault();
      go(number);
    }),
  );
  window.addEventListener("hashchange", () => follow(-1));
  follow(steps.length - 1);
});
