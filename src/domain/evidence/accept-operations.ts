import type { TaskId } from "../../contract/ids.ts";
import { findTask } from "../task/queries.ts";
import type { Work } from "../work.ts";
import { receiptEvent } from "./events.ts";
import { endDoubt } from "./store.ts";
import { checkMayVerify, getReceipt } from "./verify-operations.ts";

/** A person has looked at a result and takes it as it is (RC10). The receipt stays what it was. */
export async function acceptResult(work: Work, taskId: TaskId): Promise<void> {
  await checkMayVerify(work.db, taskId, work.caller);
  const { evidence } = await getReceipt({ read: (look) => look(work.db) }, taskId);
  if (!(await endDoubt(work.db, evidence))) return;
  const workflowId = (await findTask(work.db, taskId))?.workflowId ?? null;
  const channels = [`task:${taskId}`, ...(workflowId === null ? [] : [`workflow:${workflowId}`])];
  work.record(receiptEvent.accepted(taskId, { workflow_id: workflowId }, channels));
}
