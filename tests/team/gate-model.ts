/** Who acts: a developer, from a session or from none. */
export interface ModelWorker {
  readonly developer: string;
  readonly session: string | null;
}

export interface ModelTask {
  readonly id: string;
  readonly title: string;
  readonly developer: string;
  session: string | null;
  status: "planned" | "active" | "blocked" | "done" | "cancelled";
}

export interface ModelCheck {
  readonly id: string;
  readonly developer: string;
  readonly title: string;
  readonly plannedId: string | null;
  readonly warningId: string | null;
  readonly asked: readonly string[];
  /** Everything that had escalated by then, judged or not. */
  readonly known: ReadonlySet<string>;
  readonly judged: readonly Verdict[];
  /** The older confirmation of an earlier check of the same start. */
  readonly wasConfirmed: boolean;
  readonly expiresAt: number;
  isUsed: boolean;
}

export interface Verdict {
  readonly candidate: string;
  readonly verdict: string;
}

export interface Keys {
  readonly checkId?: string | undefined;
  readonly verdicts?: readonly Verdict[] | undefined;
  readonly warningId?: string | null | undefined;
  readonly isConfirmed: boolean;
}

export type Expected =
  | { readonly code: "CHECK_REQUIRED" }
  | {
      readonly code: "VERDICT_REQUIRED" | "DUPLICATE_CONFIRMATION_REQUIRED";
      readonly check: ModelCheck;
      readonly candidates: readonly string[];
    }
  | {
      readonly code: "VERDICT_REQUIRED_ANEW";
      readonly from: ModelCheck;
      readonly candidates: readonly string[];
      readonly judged: readonly Verdict[];
    }
  | {
      readonly code: undefined;
      readonly check: ModelCheck;
      readonly judged: readonly Verdict[];
      readonly isDuplicate: boolean;
    };

export const mostAsked = 5;
const scopeCheckLivesMs = 10 * 60_000;

/**
 * The check and start protocol in its simplest form: work is alike if it has the same title, and there is no index, no
 * transaction and no second server.
 */
export class GateModel {
  now = 0;
  readonly tasks: ModelTask[] = [];
  readonly checks: ModelCheck[] = [];

  /** Open work with this title, except what the same session does. */
  escalated(worker: ModelWorker, title: string, exceptId: string | null): string[] {
    return this.tasks
      .filter((task) => task.title === title && task.id !== exceptId && isOpen(task))
      .filter((task) => worker.session === null || task.session !== worker.session)
      .map(({ id }) => id);
  }

  addCheck(
    worker: ModelWorker,
    ask: Pick<ModelCheck, "id" | "title" | "plannedId" | "warningId" | "asked" | "known"> &
      Partial<Pick<ModelCheck, "judged" | "wasConfirmed">>,
  ): void {
    this.checks.push({
      judged: [],
      wasConfirmed: false,
      ...ask,
      developer: worker.developer,
      expiresAt: this.now + scopeCheckLivesMs,
      isUsed: false,
    });
  }

  /** What a start is answered; `plannedId` for planned work. */
  start(worker: ModelWorker, title: string, plannedId: string | null, keys: Keys): Expected {
    const mine = this.checks.filter(
      (check) => check.developer === worker.developer && check.title === title && check.plannedId === plannedId,
    );
    const check = keys.checkId === undefined ? mine.at(-1) : mine.find(({ id }) => id === keys.checkId);
    if (!check || check.isUsed || check.expiresAt <= this.now) return { code: "CHECK_REQUIRED" };
    const open = check.asked.filter((id) => this.isOpenId(id));
    const judged = [...check.judged];
    let isDuplicate = judged.some(({ verdict }) => verdict === "same_scope");
    if (open.length > 0) {
      const isOlderWay =
        keys.verdicts === undefined &&
        keys.checkId === undefined &&
        keys.isConfirmed &&
        keys.warningId === check.warningId;
      if (!isOlderWay) {
        const { verdicts } = keys;
        if (!verdicts || keys.checkId === undefined || !covers(verdicts, check.asked, open))
          return { code: "VERDICT_REQUIRED", check, candidates: open };
        const same = open.filter((id) => verdicts.some((one) => one.candidate === id && one.verdict === "same_scope"));
        if (same.length > 0 && !keys.isConfirmed)
          return { code: "DUPLICATE_CONFIRMATION_REQUIRED", check, candidates: same };
        isDuplicate ||= same.length > 0;
        judged.push(...verdicts);
      }
    }
    const fresh = this.escalated(worker, title, plannedId).filter((id) => !check.known.has(id));
    if (fresh.length > 0) return { code: "VERDICT_REQUIRED_ANEW", from: check, candidates: fresh, judged };
    return { code: undefined, check, judged, isDuplicate };
  }

  isOpenId(id: string): boolean {
    return this.tasks.some((task) => task.id === id && isOpen(task));
  }
}

export const isOpen = (task: ModelTask): boolean => task.status !== "done" && task.status !== "cancelled";

function covers(verdicts: readonly Verdict[], asked: readonly string[], open: readonly string[]): boolean {
  const ids = verdicts.map(({ candidate }) => candidate);
  if (new Set(ids).size < ids.length || ids.some((id) => !asked.includes(id))) return false;
  return open.every((id) => ids.includes(id));
}
