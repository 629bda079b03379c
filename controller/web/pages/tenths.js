// Numbers with one decimal, as the printed reports write them.

/** Write a number with one decimal. A tie goes to the even digit, as in the reports; the browser alone rounds it up. */
export function tenths(value) {
  const isTie = Number.isInteger(value * 4) && !Number.isInteger(value * 2);
  return (isTie ? 2 * Math.round(value * 5) / 10 : value).toFixed(1);
}
