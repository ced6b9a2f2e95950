/** "3 min 20 s": two units say enough. */
export function sayDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  const units = [
    { name: "d", size: 86_400 },
    { name: "h", size: 3_600 },
    { name: "min", size: 60 },
    { name: "s", size: 1 },
  ];
  const first = units.findIndex(({ size }) => seconds >= size);
  if (first === -1) return "0 s";
  let left = seconds;
  return units
    .slice(first, first + 2)
    .flatMap(({ name, size }) => {
      const count = Math.floor(left / size);
      left -= count * size;
      return count === 0 ? [] : [`${count} ${name}`];
    })
    .join(" ");
}
