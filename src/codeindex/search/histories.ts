import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { CodeFilters } from "../../domain/codeindex/model.ts";
import type { Entry } from "../tree/entry.ts";
import { GitHistory } from "../tree/git-history.ts";
import type { FileHistory } from "../tree/history.ts";
import type { OpenGit } from "../tree/listing.ts";
import type { View } from "../tree/view.ts";

/** What git knows of the files of a work tree, as far as one search needs it. */
export interface HistoryLook {
  of(path: string): FileHistory | undefined;
  /** The author of each line; undefined for what is not committed as it is. */
  linesOf(entry: Entry): Promise<readonly string[] | undefined>;
}

/** The histories of repositories, each read when a filter first asks for it. */
export class Histories {
  readonly #openGit: OpenGit;
  readonly #known = new Map<string, GitHistory>();

  constructor(openGit: OpenGit) {
    this.#openGit = openGit;
  }

  async look(main: string, view: View, filters: CodeFilters): Promise<HistoryLook> {
    const history = this.#known.get(main) ?? new GitHistory(view.root, this.#openGit);
    this.#known.set(main, history);
    if (asksGit(filters)) await history.read(view.head, { withChurn: filters.churnMin !== undefined });
    const { head } = view;
    return {
      of: (path) => withWork(view, path, history.of(path)),
      async linesOf(entry) {
        if (head === null || entry.key === undefined || !isCommitted(view, entry.raw)) return undefined;
        const lines = await history.readLines(head, entry.path, entry.key);
        return lines.length === 0 ? undefined : lines;
      },
    };
  }
}

const asksGit = ({ author, chunkAuthor, churnMin, modifiedAfter, modifiedSince }: CodeFilters): boolean =>
  [author, chunkAuthor, churnMin, modifiedAfter, modifiedSince].some((value) => value !== undefined);

const isCommitted = ({ listed }: View, raw: string): boolean =>
  listed?.tracked.has(raw) === true && !listed.loose.has(raw);

/** What was saved and is not committed yet was changed when it was saved. */
function withWork(view: View, path: string, known: FileHistory | undefined): FileHistory | undefined {
  if (isCommitted(view, Buffer.from(path).toString("latin1"))) return known;
  try {
    const savedAt = lstatSync(join(view.root, path)).mtimeMs;
    return { authors: [], churn: undefined, ...known, modifiedAt: Math.max(savedAt, known?.modifiedAt ?? 0) };
  } catch {
    return known;
  }
}
