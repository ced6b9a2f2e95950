import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { predictFootprints } from "../../src/engine/keepers/footprint-keeper.ts";
import { forEachStore } from "../../src/testing/house.ts";
import { git, makeRepository } from "../git/scratch.ts";

interface Answer {
  readonly status: string;
  readonly data: Record<string, unknown>;
}

interface ReadTask {
  readonly predicted_files: readonly { readonly path: string; readonly probability: number }[];
}

forEachStore("footprints", (open) => {
  test("[FP1, FP2, FP3] a planned task's files are predicted after it was planned, read with it, and told by a check as context", async () => {
    const { path } = makeRepository();
    writeFileSync(join(path, "invoice.ts"), "export function roundInvoice(total: number) {\n  return total;\n}\n");
    writeFileSync(join(path, "mail.ts"), "export function sendMail(to: string) {\n  return to;\n}\n");
    writeFileSync(join(path, "invoice.test.ts"), "roundInvoice(1); // invoice totals, invoice rounding\n");
    git(path, "add", "-A");
    git(path, "commit", "-qm", "Files");
    const house = await open();
    const session = await house.call<Answer>("covibe_session", { operation: "start", repo: path });
    const session_id = session.data["session_id"];
    const plan = async (title: string): Promise<string> => {
      const planned = await house.call<Answer>("covibe_task", {
        operation: "plan",
        session_id,
        title,
        task_type: "bug",
      });
      return String(planned.data["task_id"]);
    };
    const round = await plan("Round invoice totals to cents");
    const read = (id: string) => house.call<ReadTask>("task_get", { id });
    const look = { signal: new AbortController().signal };
    await predictFootprints(house.house, look);
    expect((await read(round)).predicted_files).toEqual([]);
    await house.call("build_index", { repoPath: path });
    const tax = await plan("Show tax on the invoice");
    await predictFootprints(house.house, look);
    expect((await read(round)).predicted_files[0]).toEqual({ path: "invoice.ts", probability: expect.any(Number) });
    expect((await read(round)).predicted_files.map((file) => file.path)).not.toContain("invoice.test.ts");
    const check = await house.call<Answer>("covibe_task", {
      operation: "check",
      session_id,
      title: "Show tax on the invoice",
      task_type: "bug",
      planned_task_id: tax,
    });
    expect(check.status).toBe("ok");
    expect(check.data["probable_overlap"]).toMatchObject([{ id: round, files: [{ path: "invoice.ts" }] }]);
  });
});
