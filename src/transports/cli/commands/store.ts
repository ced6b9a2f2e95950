import { resolve } from "node:path";
import { baseUrlFrom } from "../../../adapters/base-url.ts";
import { findServer } from "../../../adapters/server-process.ts";
import { exitCodes } from "../../../contract/errors.ts";
import type { Verification } from "../../../contract/plain-routes.ts";
import { apiAt, openApi } from "../api.ts";
import { answer, type Context } from "../context.ts";
import { complain } from "../failure.ts";
import { withProgress } from "../progress.ts";
import type { Shell } from "../shell.ts";
import { cleanText } from "../text.ts";
import { addVerifyTask } from "./verify-task.ts";

/** What is done to the store as a whole. */
export function addStore(shell: Shell): void {
  const backup = shell
    .add({
      name: "backup",
      summary: "Back up the store to a file while the server runs",
      examples: ["backup crewdeck-backup.db"],
    })
    .argument("<file>", "the file to write");
  shell.does(backup, async (context, _options, [file = ""]) => {
    const target = resolve(file);
    await (await openApi(context)).post("/api/backup", { file: target });
    answer(context, { file: target }, () => [
      `Backed up the store to ${target}. Restore it with: crewdeck restore FILE`,
    ]);
    return undefined;
  });

  const restore = shell
    .add({
      name: "restore",
      makesHome: true,
      summary: "Restore a backup; the server must be stopped",
      examples: ["restore crewdeck-backup.db"],
    })
    .argument("<file>", "a file that `crewdeck backup` wrote");
  shell.does(restore, async (context, _options, [file = ""]) => {
    const code = await refuseWhileRunning(context);
    if (code !== undefined) return code;
    const { restoreHome } = await context.loadProgram();
    const source = resolve(file);
    const { previous, credentials } = await withProgress("Restoring the store…", restoreHome(context.home, source));
    answer(context, { file: source, previous, credentials }, () => [
      `Restored the store from ${source}.`,
      ...(previous === null ? [] : [`The previous store is kept as ${previous}`]),
      ...(credentials === null ? [] : renewal(credentials)),
    ]);
    return undefined;
  });

  const verify = shell
    .add({
      name: "verify",
      summary: "Check the store and its ledger for corruption",
      examples: ["verify", "verify --json", "verify --accept", "verify task tk_…"],
    })
    .option("--accept", "keep a damaged store as it is; the server must be stopped");
  shell.does<{ accept?: true }>(verify, async (context, { accept }) => {
    if (accept) return acceptDamage(context);
    const result = await findOutWhetherIntact(context);
    answer(context, result, () => [
      result.isIntact
        ? `The store is intact, with ${result.entries} entries in its ledger.`
        : `The store is damaged${result.reason === null ? "" : `: ${result.reason}`}`,
      ...result.problems.map(cleanText),
      ...result.accepted.map((problem) => `accepted: ${cleanText(problem)}`),
      ...(result.areRowsChecked ? [] : [noChecksums]),
      ...(result.readOnlyReason === null ? [] : ["", ...whatNext(result)]),
    ]);
    return result.isIntact ? exitCodes.done : exitCodes.refused;
  });
  addVerifyTask(shell, verify);
}

const noChecksums =
  "Damage inside rows isn't found here: PostgreSQL's data checksums are off. Turn them on with pg_checksums --enable.";

const whatNext = ({ readOnlyReason }: Verification): string[] => [
  `The store is read-only (${cleanText(readOnlyReason ?? "")}). Stop the server, then choose:`,
  "  crewdeck restore FILE      put a backup in its place",
  "  crewdeck verify --accept   keep it as it is",
];

async function acceptDamage(context: Context): Promise<number> {
  const code = await refuseWhileRunning(context);
  if (code !== undefined) return code;
  const program = await context.loadProgram();
  const found = await withProgress("Checking the store…", program.acceptDamage(context.home));
  const problems = [...(found.reason === null ? [] : [found.reason]), ...found.problems].map(cleanText);
  answer(context, { accepted: problems }, () =>
    problems.length === 0
      ? ["The store is intact. It takes changes."]
      : ["Accepted the damage. The store takes changes again.", ...problems],
  );
  return exitCodes.done;
}

async function refuseWhileRunning(context: Context): Promise<number | undefined> {
  const running = await findServer(context.home);
  if (!running) return undefined;
  complain(`The server of this home is running (process ${running.pid}).`, "Stop it first with: crewdeck stop");
  return exitCodes.storeHeld;
}

const renewal = (credentials: string): string[] => [
  "This home's token is unknown to that store. The next start creates one for its owner: crewdeck up",
  `The previous credentials are kept as ${credentials}`,
];

async function findOutWhetherIntact(context: Context): Promise<Verification> {
  const url = baseUrlFrom(context.env) ?? (await findServer(context.home))?.url;
  if (url !== undefined) return apiAt(url, context).read("/api/verify", {});
  const { verifyHome } = await context.loadProgram();
  return withProgress("Checking the store…", verifyHome(context.home));
}
