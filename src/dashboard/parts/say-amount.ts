const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
export const sayCount = (count: number): string => compact.format(count);

/** Cents matter for a task, not for a quarter; less than a cent is said as exactly as it needs. */
export function sayMoney(dollars: number): string {
  const digits = dollars === 0 || dollars >= 100 ? 0 : dollars >= 0.01 ? 2 : 4;
  return dollars.toLocaleString("en", {
    style: "currency",
    currency: "USD",
    maximumFractionDigits: digits,
    minimumFractionDigits: Math.min(2, digits),
  });
}
