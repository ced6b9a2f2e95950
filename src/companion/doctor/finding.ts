/** One thing that was looked at. */
export interface Finding {
  readonly check: string;
  readonly status: "ok" | "warning" | "failed";
  readonly detail: string;
  /** What to do about it. */
  readonly fix: string | null;
}

export const ok = (check: string, detail: string): Finding => ({ check, status: "ok", detail, fix: null });
export const warning = (check: string, detail: string, fix: string): Finding => ({
  check,
  status: "warning",
  detail,
  fix,
});
export const failed = (check: string, detail: string, fix: string): Finding => ({
  check,
  status: "failed",
  detail,
  fix,
});
