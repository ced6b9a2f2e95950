/** Where code search looks: definitions, documents, the comments in code. */
export const codeModes = ["code", "prose", "extracted-prose"] as const;
export type CodeMode = (typeof codeModes)[number];

/** A work tree by its top folder, and that of the repository it belongs to. */
export interface IndexedTree {
  readonly root: string;
  readonly main: string;
}

/** What hits have to fulfil, named as on the wire. Values are as the caller wrote them. */
export interface CodeFilters {
  readonly type?: string | undefined;
  readonly author?: string | undefined;
  readonly import?: string | undefined;
  readonly calls?: string | undefined;
  readonly uses?: string | undefined;
  readonly signature?: string | undefined;
  readonly param?: string | undefined;
  readonly decorator?: string | undefined;
  readonly inferredType?: string | undefined;
  readonly returnType?: string | undefined;
  readonly throws?: string | undefined;
  readonly reads?: string | undefined;
  readonly writes?: string | undefined;
  readonly mutates?: string | undefined;
  readonly alias?: string | undefined;
  readonly awaits?: string | undefined;
  readonly risk?: string | undefined;
  readonly riskTag?: string | undefined;
  readonly riskSource?: string | undefined;
  readonly riskSink?: string | undefined;
  readonly riskCategory?: string | undefined;
  readonly riskFlow?: string | undefined;
  readonly branchesMin?: number | undefined;
  readonly loopsMin?: number | undefined;
  readonly breaksMin?: number | undefined;
  readonly continuesMin?: number | undefined;
  readonly churnMin?: number | undefined;
  readonly chunkAuthor?: string | undefined;
  readonly modifiedAfter?: string | undefined;
  readonly modifiedSince?: number | undefined;
  readonly visibility?: string | undefined;
  readonly extends?: string | undefined;
  readonly async?: boolean | undefined;
  readonly generator?: boolean | undefined;
  readonly returns?: boolean | undefined;
  readonly branch?: string | undefined;
  readonly lang?: string | undefined;
  readonly path?: string | readonly string[] | undefined;
  readonly file?: string | readonly string[] | undefined;
  readonly ext?: string | readonly string[] | undefined;
  /** Whether paths are compared with their capitals. */
  readonly caseFile?: boolean | undefined;
  /** Whether words are. */
  readonly caseTokens?: boolean | undefined;
}

/** One chunk that was found. */
export interface CodeHit {
  readonly id: string;
  readonly file: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly start: number;
  readonly end: number;
  readonly ext: string;
  readonly lang: string;
  readonly kind: string;
  readonly name: string;
  readonly headline: string;
  /** The line the headline stands on. */
  readonly line: number;
  readonly score: number;
  readonly context?: { readonly before: readonly string[]; readonly after: readonly string[] };
  readonly text?: string;
  readonly signature?: string;
  readonly doc?: string;
  readonly meta?: Readonly<Record<string, unknown>>;
  /** With every worktree searched: where it lies, and which others have the same. */
  readonly worktree?: string;
  readonly branch?: string | null;
  readonly alsoIn?: readonly string[];
}

export interface SearchWarning {
  readonly code: string;
  readonly message: string;
}

export interface SkippedPath {
  readonly file: string;
  readonly reason: string;
}

/** What an index was at the moment it answered. */
export interface IndexState {
  readonly builtAt: string;
  readonly head: string | null;
  /** Whether everything that was saved when the call came is in it. */
  readonly isFresh: boolean;
}

/** What takes the room of an index, in bytes. */
export interface IndexParts {
  readonly segments: number;
  readonly vectors: number;
  readonly copy: number;
  readonly other: number;
}
