// What players see over the video. What it shows and says comes from the table; this draws it.
// The one rule: where there is nothing to show there is nothing: the video is behind it.

import { at, list, make, mark, say, show } from "./dom.js";
import { felt } from "./felt.js";
import { follow } from "./page.js";
import { board } from "./roads.js";

function draw(told) {
  mark(document.body, "data-life", told.phase);
  say(at("header h1"), told.title);
  say(at(".round"), [told.table, told.round].filter(Boolean).join(" · "));
  say(at(".manual"), told.manual);
  say(at(".rules"), `${told.words.rules} ${told.digest.slice(0, 12)}`);
  at(".rules").title = told.digest;
  say(at(".says"), told.result ? told.result.text : told.says);
  say(at(".remarks"), told.result ? told.result.remarks.join(" · ") : "");
  mark(at(".status"), "data-mark", told.result?.mark);
  felt(told.places.filter((place) => place.taken), at(".felt"));
  show(at(".board"), told.roads !== null);
  if (told.roads !== null) board(at(".counts"), at(".roads"), told.roads);
  drawLast(told);
}

function drawLast(told) {
  show(at(".last"), told.last.length > 0);
  say(at(".last h2"), told.words.last);
  const create = () => make("li", {}, make("span"), make("b"));
  list(at(".last ol"), told.last, (result) => result.round, create, (item, result) => {
    mark(item, "data-mark", result.mark);
    say(item.children[0], String(result.round));
    say(item.children[1], result.text);
  });
}

function tick({ notice }, now) {
  const shown = notice !== null && (notice.until === null || Date.parse(notice.until) > now);
  mark(at(".notice"), "data-kind", notice?.kind);
  if (shown) say(at(".notice"), notice.text);
  show(at(".notice"), shown);
}

follow("player", draw, tick);
