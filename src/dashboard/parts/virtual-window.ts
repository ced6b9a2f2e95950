interface View {
  readonly top: number;
  readonly height: number;
  readonly rowHeight: number;
  readonly count: number;
}

/** Rows beyond the edges that exist already when they are scrolled to. */
const spare = 8;

/** Which rows exist: those in view and a few around them. */
export function windowOf({ top, height, rowHeight, count }: View): { from: number; to: number } {
  const from = Math.max(0, Math.min(Math.floor(top / rowHeight) - spare, count));
  const to = Math.min(count, Math.ceil((top + height) / rowHeight) + spare);
  return { from, to: Math.max(from, to) };
}
