import { namesOf, type Repository } from "../repository.ts";
import { askTool, callTool, type Target } from "../server.ts";
import type { ClientSession } from "../sessions.ts";
import { recovery } from "./recovery.ts";
import type { Signal } from "./signal.ts";

/** About 800 tokens: the agent pays for them with every request. */
const longestBriefing = 3_200;
const mostOfEach = 5;
const longestQuote = 200;

/**
 * What concerns an agent that begins, or that has just forgotten: its session, questions, handoffs, mail, what is claimed
 * in its repository, and after a compaction its task. `soon` is when to do without the task, so that the rest still arrives.
 */
export async function briefing(
  target: Target,
  session: ClientSession,
  { isCompacted }: Signal,
  { repository, signal, soon }: { repository: Repository; signal: AbortSignal; soon: AbortSignal },
): Promise<string> {
  const mail = unreadMail(target, session, soon);
  const recovered = isCompacted ? recovery(target, session, soon) : [];
  const { data } = await callTool(
    target,
    "covibe_coordination",
    { operation: "summary", session_id: session.session_id },
    { signal },
  );
  const list = (key: string): Record<string, unknown>[] => (data[key] ?? []) as Record<string, unknown>[];
  const claims = list("claims");
  const own = claims.filter(
    ({ session_id }) => session_id === session.session_id || session.own.includes(String(session_id)),
  );
  const isHere = isAbout(repository);
  const others = claims.filter((claim) => !own.includes(claim) && isHere(claim));
  const lines = [
    `Crewdeck: your session is ${session.session_id}. Pass it as session_id to covibe_* tools; don't start another.`,
    ...(isCompacted ? ["Your context was compacted. Your tasks and claims are still yours."] : []),
    ...section(
      "Claims you hold",
      own,
      (claim) =>
        `${pathsOf(claim)}${isHere(claim) ? "" : ` in ${claim["repo"]}`} until ${claim["expires_at"]} (${claim["claim_id"]})`,
    ),
    ...section(
      "Questions to you (answer with operation reply)",
      list("asks_to_me"),
      (ask) => `${ask["ask_id"]} from ${ask["from"]}: ${quote(ask["question"])}`,
    ),
    ...section(
      "Handoffs offered to you (take with operation accept)",
      list("handoffs_to_me"),
      (one) => `${one["handoff_id"]} from ${one["from"]}: ${quote(one["summary"])}`,
    ),
    ...section(
      "Unread messages (read with message_get)",
      await mail,
      (one) => `${one["id"]} from ${one["sender_id"]}: ${quote(one["subject"])}`,
    ),
    ...section("Answers", list("answers"), (reply) => `${reply["from"]}: ${quote(reply["answer"])}`),
    ...section("Somebody wants what you hold", list("conflicts"), (one) => `${one["wanted_by"]}: ${pathsOf(one)}`),
    ...section(
      "Announcements",
      list("announcements").filter(isHere),
      (one) => `${one["from"]}: ${quote(one["message"])}`,
    ),
    ...section(
      "Claimed by others: don't edit",
      others,
      (claim) => `${pathsOf(claim)} by ${claim["holder"]} until ${claim["expires_at"]}`,
    ),
  ];
  return [shorten(lines), ...(await recovered)].join("\n");
}

/** Of its own mailbox; without it the rest still arrives. */
async function unreadMail(
  target: Target,
  { session_id }: ClientSession,
  signal: AbortSignal,
): Promise<Record<string, unknown>[]> {
  try {
    const ask = { agent_id: session_id, status: "unread", limit: mostOfEach + 1 };
    const { messages } = await askTool(target, "message_list", ask, { signal });
    return messages as Record<string, unknown>[];
  } catch {
    return [];
  }
}

/** Of what is about another repository nothing here can be edited; what names none is about all. */
function isAbout(repository: Repository): (one: Record<string, unknown>) => boolean {
  const names = new Set(namesOf(repository).map((name) => name.toLowerCase()));
  return ({ repo }) => typeof repo !== "string" || names.has(repo.toLowerCase());
}

function section(
  title: string,
  items: readonly Record<string, unknown>[],
  line: (item: Record<string, unknown>) => string,
): string[] {
  if (items.length === 0) return [];
  const more = items.length > mostOfEach ? [`- and ${items.length - mostOfEach} more`] : [];
  return [`${title}:`, ...items.slice(0, mostOfEach).map((item) => `- ${line(item)}`), ...more];
}

const pathsOf = ({ paths, symbols }: Record<string, unknown>): string =>
  [paths, symbols]
    .flat()
    .filter((one) => typeof one === "string")
    .slice(0, 5)
    .join(", ") || "private files";

/** Other people's words, on one line and marked as such. */
const quote = (text: unknown): string => {
  const line = String(text ?? "").replaceAll(/\s+/g, " ");
  return JSON.stringify(line.length > longestQuote ? `${line.slice(0, longestQuote)}…` : line);
};

function shorten(lines: readonly string[]): string {
  const kept: string[] = [];
  let length = 0;
  for (const line of lines) {
    length += line.length + 1;
    if (length > longestBriefing) return [...kept, "More: covibe_coordination, operation summary."].join("\n");
    kept.push(line);
  }
  return kept.join("\n");
}
