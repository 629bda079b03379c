// /overlay?arrange: drag the badges of a seated game to the places where the table's camera shows the seats.
// Invariant: this changes nothing at the table. The page shows a text to copy into the config.

import { make, mark } from "./dom.js";

const COLUMNS = [5.5, 94.5]; // allowed range of a badge's centre, in percent of the picture
const ROWS = [[4, 29], [71, 84]];
const STEP = { ArrowLeft: [-0.5, 0], ArrowRight: [0.5, 0], ArrowUp: [0, -0.5], ArrowDown: [0, 0.5] };

const within = (value, [least, most]) => Math.min(Math.max(value, least), most);
const rounded = (value) => Math.round(value * 2) / 2;

/** Nearest allowed height of a badge. */
function row(y) {
  const nearest = ROWS.map((band) => within(y, band));
  return nearest.sort((one, other) => Math.abs(one - y) - Math.abs(other - y))[0];
}

function centre(place) {
  const { left, top, width, height } = place.getBoundingClientRect();
  return [((left + width / 2) / innerWidth) * 100, ((top + height / 2) / innerHeight) * 100];
}

function put(place, [x, y]) {
  place.at = [within(rounded(x), COLUMNS), row(rounded(y))];
  Object.assign(place.style, { position: "fixed", translate: "-50% -50%", left: `${place.at[0]}%`, top: `${place.at[1]}%` });
}

const written = (places) =>
  ["[overlay]", ...places.map((place) => `seats.${place.dataset.place} = [${place.at.map((one) => one.toFixed(1)).join(", ")}]`)].join("\n");

/** Show a picture of the camera behind the page. */
async function under(file) {
  const picture = await createImageBitmap(file);
  const canvas = make("canvas.under", { width: picture.width, height: picture.height });
  canvas.getContext("2d").drawImage(picture, 0, 0);
  document.querySelector(".under")?.remove();
  document.body.prepend(canvas);
}

function makePanel(words) {
  const text = make("textarea", { readonly: "", rows: 9, "aria-label": words.arrange });
  const copy = make("button", { type: "button" }, words.copy);
  const picture = make("input", { type: "file", accept: "image/*" });
  copy.addEventListener("click", () => {
    text.select();
    navigator.clipboard?.writeText(text.value);
  });
  picture.addEventListener("change", () => under(picture.files[0]));
  mark(document.body, "data-arranges", true);
  document.body.append(make("aside.panel.arrange", {}, make("p", {}, words.arrange), make("label", {}, words.camera, picture), text, copy));
  return text;
}

/** Make the badges within `felt` movable, by dragging and by the arrow keys. */
export function arrange(felt, words) {
  const places = [...felt.querySelectorAll(".place")];
  const text = makePanel(words);
  const before = places.map(centre); // measured for all before the first one leaves the row
  places.forEach((place, index) => put(place, before[index]));
  const move = (place, to) => {
    put(place, to);
    text.value = written(places);
  };
  for (const place of places) {
    place.tabIndex = 0;
    place.addEventListener("pointerdown", (event) => place.setPointerCapture(event.pointerId));
    place.addEventListener("pointermove", (event) => {
      if (place.hasPointerCapture(event.pointerId)) move(place, [(event.clientX / innerWidth) * 100, (event.clientY / innerHeight) * 100]);
    });
    place.addEventListener("keydown", ({ key }) => {
      if (key in STEP) move(place, place.at.map((one, axis) => one + STEP[key][axis]));
    });
  }
  text.value = written(places);
}
