/** The words of a wish, and which of them mean the same to whoever looks for a tool. */

const fillers = new Set(
  (
    "a an the to of my is in on and or for with i me it its by as at be do does did have has had this that these those " +
    "am are was were can could would should will you your our we us them they he she im ive dont cant any some one " +
    "covibe which what how if so than then too from into up out about there here because since isnt doesnt didnt wont " +
    "not no more just going came come still who whom whose whole very please want need let lets got now right each " +
    "when where while said say really maybe also only ever yet"
  ).split(" "),
);

export const wordsOf = (text: string): string[] =>
  (
    text
      .toLowerCase()
      .replaceAll("'", "")
      .match(/[a-z0-9]+/g) ?? []
  ).filter((word) => !fillers.has(word));

/** Endings off, so that messages, message and messaging are one word. */
export function stemOf(word: string): string {
  if (word.length < 4) return word;
  const bare = word
    .replace(/ies$/, "y")
    .replace(/(ss|x|ch|sh)es$/, "$1")
    .replace(/([^su])s$/, "$1");
  const cut = bare.replace(/(?:ing|ed|able)$/, "");
  const stem = cut.length >= 3 && /[aeiouy]/.test(cut) ? cut.replace(/([bdgmnprt])\1$/, "$1") : bare;
  return stem.length > 3 ? stem.replace(/e$/, "") : stem;
}

/** Words that are used for each other. The first of a line is the tools' own word where they have one. */
const sameWords = [
  "create add make new",
  "plan later backlog todo log",
  "start begin launch open kick resume",
  "end finish complete close done stop finished",
  "cancel abandon drop abort discard give",
  "read see show get view look open check",
  "list show all overview see exist",
  "change update edit modify set rename",
  "remove delete clean",
  "message mail inbox mailbox dm",
  "broadcast everyone everybody all notify announce",
  "send write tell",
  "reply answer respond",
  "teammate somebody someone colleague anybody anyone else others other",
  "team everybody everyone",
  "agent worker bot",
  "claim lock reserve hold take grab",
  "release unlock free return back",
  "available free open unassigned",
  "duplicate same twice double overlap already",
  "issue problem bug error blocker",
  "blocked blocker stuck waiting wait",
  "progress far left remaining status",
  "summary report brief short overview summarise summarize outcome",
  "week weekly",
  "usage token cost spend spent telemetry",
  "handoff hand transfer pass over",
  "workspace worktree folder checkout copy",
  "template reuse recipe again",
  "checkpoint note save",
  "note write record leave",
  "heartbeat alive ping online",
  "repository repo project",
  "context resume memory continue cleared",
  "unregister leave offline sign off",
  "register join sign",
  "dependency depend wait block",
  "parallelism parallel concurrent once same limit",
  "replan over again scratch retry",
  "warning overlap dismiss ignore",
  "renew extend prolong",
  "file code path",
  "decision decide chose choose why",
  "milestone progress far",
  "phase stage step",
  "unread new",
  "task work job ticket todo something",
];

interface Meaning {
  readonly meaning: string;
  /** How sure it is that this is meant. */
  readonly share: number;
}

const shareOfSame = 0.55;

const meanings = new Map<string, ReadonlySet<string>>();
for (const line of sameWords) {
  const words = line.split(" ").map(stemOf);
  for (const word of words) meanings.set(word, new Set([...(meanings.get(word) ?? []), ...words]));
}

/** What a word may mean: itself, and less surely what is used for it. */
export const meaningsOf = (word: string): Meaning[] => [
  { meaning: word, share: 1 },
  ...[...(meanings.get(word) ?? [])]
    .filter((other) => other !== word)
    .map((meaning) => ({ meaning, share: shareOfSame })),
];
