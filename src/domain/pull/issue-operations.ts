import { AgentId } from "../../contract/ids.ts";
import { Refusal } from "../../contract/refusal.ts";
import { getCalling, lookWhoCalls, type Sighting } from "../instance/operations.ts";
import type { Look } from "../port.ts";
import type { Work } from "../work.ts";
import { askForNext } from "./issue-errand-operations.ts";
import type { FiledIssue } from "./issue-model.ts";
import { listBatch, listFiled } from "./issue-queries.ts";
import { checkDependencies, foldTitle, type IssueAsk, textOf } from "./issue-rules.ts";
import { guardIssues, insertIssue } from "./issue-store.ts";
import type { CodeHost } from "./port.ts";
import { refusalIn } from "./rules.ts";

interface SeenHost {
  readonly sighting: Sighting;
  readonly host: CodeHost | null;
}

/** Looks who calls and where its repository is kept. */
export async function lookForHost(look: Look): Promise<SeenHost> {
  const sighting = await lookWhoCalls(look);
  return { sighting, host: await look.ports.pull.findHost(sighting.workTree.path, look.signal) };
}

/** Has issues filed, each title once: what was filed before is answered as it is. Answers the name of the request. */
export async function fileIssues(
  work: Work,
  { seen: { sighting, host }, issues }: { readonly seen: SeenHost; readonly issues: readonly IssueAsk[] },
): Promise<string> {
  const { id } = await getCalling(work, sighting, ["planning"]);
  checkDependencies(issues);
  if (host === null) {
    throw new Refusal(
      "CAPABILITY_MISSING",
      "This repository has no code host where issues could be filed.",
      "Add its GitHub address as the remote `origin`; for another server set github.apiUrl in config.json.",
    );
  }
  const address = `${host.owner}/${host.name}`;
  await guardIssues(work.db, address);
  const titles = [...new Set(issues.map(({ title }) => foldTitle(title)))];
  const earlier = new Map((await listFiled(work.db, address, titles)).map((one) => [one.title, one]));
  const batch = work.newId("errand");
  for (const [position, title] of titles.entries()) {
    const wanted = issues.find((one) => foldTitle(one.title) === title);
    const at = { batch, position, address, agentId: AgentId.parse(id), title };
    if (wanted) await insertIssue(work.db, newIssue(work, at, wanted, earlier.get(title)));
  }
  await askForNext(work, batch);
  return batch;
}

/** What became of a request, in the order asked. A failure says what was filed and what was not. */
export async function readBatch(
  work: Pick<Work, "db">,
  { batch, titles }: { readonly batch: string; readonly titles: readonly string[] },
): Promise<FiledAnswer[]> {
  const issues = await listBatch(work.db, batch);
  const answered = new Set<string>();
  const filed = titles.flatMap((title) => {
    const known = issues.find((issue) => issue.title === foldTitle(title));
    if (!known || known.number === null || known.url === null) return [];
    const isCreated = known.isCreated && !answered.has(known.title);
    answered.add(known.title);
    return [{ title, number: known.number, url: known.url, isCreated }];
  });
  if (filed.length === titles.length) return filed;
  const details = {
    issues: filed.map(({ isCreated, ...issue }) => ({ ...issue, created: isCreated })),
    not_filed: titles.filter((title) => !answered.has(foldTitle(title))),
  };
  const why = refusalIn(issues.find(({ problem }) => problem !== null)?.problem ?? stillAtIt);
  const hint = "Call again with the same issues; only the rest is filed.";
  throw new Refusal(why.code, why.message, hint, { ...why.details, ...details, details });
}

const stillAtIt = "TOOL_TIMEOUT: Not all issues are filed yet.";

interface FiledAnswer {
  readonly title: string;
  readonly number: number;
  readonly url: string;
  readonly isCreated: boolean;
}

function newIssue(
  work: Work,
  at: Pick<FiledIssue, "batch" | "position" | "address" | "agentId" | "title">,
  ask: IssueAsk,
  known: FiledIssue | undefined,
): FiledIssue {
  return {
    ...at,
    id: work.newId("issue"),
    body: textOf(ask),
    labels: [...ask.labels],
    dependsOn: ask.dependsOn.map((one) => (typeof one === "string" ? foldTitle(one) : one)),
    status: known ? "filed" : "waiting",
    isCreated: false,
    number: known?.number ?? null,
    url: known?.url ?? null,
    problem: null,
    developerId: work.caller.developerId,
    createdAt: work.now,
    updatedAt: work.now,
    version: 1,
  };
}
