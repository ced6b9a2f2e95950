/** How well alarms tell what came true. */
export class Score {
  told = 0;
  right = 0;
  true = 0;
  all = 0;

  add(isTold, isTrue) {
    this.all += 1;
    if (isTold) this.told += 1;
    if (isTrue) this.true += 1;
    if (isTold && isTrue) this.right += 1;
  }

  get precision() {
    return this.right / this.told;
  }

  get recall() {
    return this.right / this.true;
  }
}

/** What is measured beside each other: git's own merge, and two plain ways to guess it. */
export const methods = ["dry merge", "within ten lines", "same file"];

export function tellBy(verdict) {
  const rank = ["conflict", "near", "same-file"].indexOf(verdict);
  return { "dry merge": rank === 0, "within ten lines": rank === 0 || rank === 1, "same file": rank !== -1 };
}
