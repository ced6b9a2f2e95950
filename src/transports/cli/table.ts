import { paint, plainScreen, type Screen, type Style } from "./screen.ts";
import { cleanText } from "./text.ts";

/** A cell: its text, and how it is painted where there are colours. */
export type Cell = string | { readonly text: string; readonly style: Style | undefined };

interface Look {
  readonly screen?: Screen;
  readonly heading?: readonly string[];
  /** Columns that give way where the screen is narrow, the first of them first; the widest unless said. */
  readonly flexible?: readonly number[];
  /** Columns that are left out where even that is not enough, the first of them first. */
  readonly optional?: readonly number[];
  readonly indent?: number;
}

const gap = 2;
const narrowestColumn = 12;

/** Columns as wide as their widest cell, two spaces apart; on a narrow screen some give way, so that every line fits. */
export function table(rows: readonly (readonly Cell[])[], look: Look = {}): string[] {
  const { screen = plainScreen, heading, indent = 0 } = look;
  const all = [...(heading ? [heading.map((text): Cell => ({ text, style: "bold" }))] : []), ...rows];
  const texts = all.map((row) => row.map((cell) => cleanText(textOf(cell))));
  const widths = fitted(naturalWidths(texts), screen.width - indent, look);
  return all.map((row, line) => {
    const shown = row.flatMap((cell, at) => {
      const width = widths[at] ?? left;
      if (width === left) return [];
      const text = cut(texts[line]?.[at] ?? "", width);
      const style = typeof cell === "string" ? undefined : cell.style;
      const painted = style === undefined ? text : paint(screen, style, text);
      return [`${painted}${" ".repeat(Math.max(0, width - columnsOf(text)))}`];
    });
    return `${" ".repeat(indent)}${shown.join(" ".repeat(gap))}`.trimEnd();
  });
}

const textOf = (cell: Cell): string => (typeof cell === "string" ? cell : cell.text);

function naturalWidths(texts: readonly (readonly string[])[]): number[] {
  const count = Math.max(0, ...texts.map((row) => row.length));
  return Array.from({ length: count }, (_, at) => Math.max(0, ...texts.map((row) => columnsOf(row[at] ?? ""))));
}

/** The width of a column that is left out. */
const left = -1;

function fitted(natural: readonly number[], width: number, { flexible, optional = [] }: Look): number[] {
  const giving = flexible ?? [natural.indexOf(Math.max(...natural))];
  for (let without = 0; ; without += 1) {
    const dropped = new Set(optional.slice(0, without));
    const widths = natural.map((one, at) => (dropped.has(at) ? left : one));
    for (const at of giving) shrink(widths, at, width);
    if (excess(widths, width) <= 0) return widths;
    if (without >= optional.length) return squeezed(widths, width);
  }
}

function excess(widths: readonly number[], width: number): number {
  const shown = widths.filter((one) => one !== left);
  return shown.reduce((sum, one) => sum + one, gap * Math.max(0, shown.length - 1)) - width;
}

function shrink(widths: number[], at: number, width: number): void {
  const now = widths[at] ?? left;
  if (now > narrowestColumn) widths[at] = Math.max(narrowestColumn, now - Math.max(0, excess(widths, width)));
}

/** Nothing is left to give: the widest loses, until it fits. */
function squeezed(widths: number[], width: number): number[] {
  while (excess(widths, width) > 0 && Math.max(...widths) > 4) {
    const widest = widths.indexOf(Math.max(...widths));
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

/** What others wrote as one line, or as the rest of one of which so many columns are used. */
export const fitLine = ({ width }: Screen, text: string, used = 0): string => cut(cleanText(text), width - used);

/** Text on at most so many columns of a terminal. */
export function cut(text: string, width: number): string {
  if (columnsOf(text) <= width) return text;
  let kept = "";
  let used = 0;
  for (const letter of text) {
    used += columnsOf(letter);
    if (used > width - 1) break;
    kept += letter;
  }
  return `${kept.trimEnd()}…`;
}

const wide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}！-｠]/u;

/** How many columns a terminal gives a text. */
function columnsOf(text: string): number {
  let columns = 0;
  for (const letter of text) columns += /\p{M}/u.test(letter) ? 0 : wide.test(letter) ? 2 : 1;
  return columns;
}
