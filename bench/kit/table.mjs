const heads = ["", "median", "best", "unit", "against", "median", "ratio", "aim", ""];
const isNumber = [false, true, true, false, false, true, true, false, false];

/** The rows of one bench as lines of text. */
export function formatTable(rows) {
  const cells = [heads, ...rows.map(cellsOf)];
  const widths = heads.map((_, column) => Math.max(...cells.map((line) => line[column].length)));
  return cells.map((line) =>
    line
      .map((text, column) => pad(text, widths[column], isNumber[column]))
      .join("  ")
      .trimEnd(),
  );
}

const pad = (text, width, atStart) => (atStart ? text.padStart(width) : text.padEnd(width));

const cellsOf = ({ what, value, best, unit, peer, peerValue, ratio, aim, isMet }) => [
  `  ${what}`,
  numberText(value),
  numberText(best),
  unit,
  peer ?? "",
  numberText(peerValue),
  ratio === undefined ? "" : `${numberText(ratio)}×`,
  aim ?? "",
  isMet === undefined ? "" : isMet ? "met" : "missed",
];

const numberText = (value) => (value === undefined || value === null ? "" : value.toLocaleString("en"));
