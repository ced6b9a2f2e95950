import type { IssueId } from "../../contract/ids.ts";
import { defineErrand } from "../errand.ts";
import type { SystemWork } from "../work.ts";
import { issueEvent } from "./events.ts";
import type { FiledIssue } from "./issue-model.ts";
import { getIssue, listBatch } from "./issue-queries.ts";
import { bodyOf, chooseNext } from "./issue-rules.ts";
import { saveIssue } from "./issue-store.ts";
import type { FiledIssueAt, FileIssue } from "./port.ts";
import { problemOf } from "./rules.ts";

/** Files one issue. The next of its call is asked for when this one's number is known: it may be named there. */
export const fileOne = defineErrand<FileIssue & { readonly issueId: IssueId }, FiledIssueAt>({
  name: "issue.file",
  timeoutMs: 5 * 60_000,
  mostAttempts: 3,
  async done(work, { issueId }, { number, url, isCreated }) {
    const issue = await getIssue(work.db, issueId);
    await saveIssue(work.db, issue, { status: "filed", number, url, isCreated, problem: null, updatedAt: work.now });
    work.record(issueEvent.filed(issueId, { number, url, created: isCreated }, channelsOf(issue)));
    await askForNext(work, issue.batch);
  },
  async failed(work, { issueId }, failure) {
    const issue = await getIssue(work.db, issueId);
    await saveIssue(work.db, issue, { status: "failed", problem: problemOf(failure), updatedAt: work.now });
    work.record(issueEvent.failed(issueId, { code: failure.code }, channelsOf(issue)));
  },
});

/** After a failure nothing more of the call is filed: what follows may depend on what is missing. */
export async function askForNext(work: SystemWork, batch: string): Promise<void> {
  const issues = await listBatch(work.db, batch);
  const next = chooseNext(issues);
  if (!next) return;
  const { id, address, title, labels } = next;
  work.after(
    fileOne.ask({
      key: id,
      subject: batch,
      payload: { issueId: id, address, title, labels, body: bodyOf(next, issues) },
    }),
  );
}

const channelsOf = ({ agentId }: FiledIssue): string[] => (agentId === null ? [] : [`agent:${agentId}`]);
