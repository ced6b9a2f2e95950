import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { evidencePorts } from "../../src/adapters/checks/ports.ts";
import { checkHands } from "../../src/adapters/checks/run-checks.ts";
import { openTestHouse, type StoreKind, type TestHouse } from "../../src/testing/house.ts";
import { copyModel } from "../git/scratch.ts";

export interface TestRepository {
  readonly dir: string;
  git(...args: string[]): string;
  write(path: string, text: string): void;
  remove(path: string): void;
  commit(message: string): void;
}

export function tempDir(): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "crewdeck-mission-")));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true, maxRetries: 5 }));
  return dir;
}

/** A real repository; with `isEmpty` it has no commit yet. */
export function makeRepository({ isEmpty = false, format = "sha1" } = {}): TestRepository {
  const dir = tempDir();
  copyModel(dir, `mission ${format} ${isEmpty}`, (model) => {
    const repository = repositoryIn(model);
    repository.git("init", "-q", "-b", "main", `--object-format=${format}`);
    if (isEmpty) return;
    repository.write("a.txt", "a\n");
    repository.write("src/auth/login.ts", "login\n");
    repository.commit("first");
  });
  return repositoryIn(dir);
}

function repositoryIn(dir: string): TestRepository {
  const git = (...args: string[]): string =>
    execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@example.com", ...args], {
      cwd: dir,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
  return {
    dir,
    git,
    write(path, text) {
      mkdirSync(dirname(join(dir, path)), { recursive: true });
      writeFileSync(join(dir, path), text);
    },
    remove: (path) => rmSync(join(dir, path), { recursive: true, force: true }),
    commit(message) {
      git("add", "-A");
      git("commit", "-q", "-m", message, "--allow-empty");
    },
  };
}

/** A house that sees repositories and may run their checks. */
export const openMissionHouse = (kind: StoreKind): Promise<TestHouse> =>
  openTestHouse(kind, { ports: evidencePorts, hands: checkHands });

export async function startMission(house: TestHouse, ask: Record<string, unknown> = {}): Promise<string> {
  const reply = await house.call<{ mission_id: string }>("start_mission", { name: "M", objective: "O", ...ask });
  return reply.mission_id;
}

export interface Started {
  readonly task_id: string;
  readonly snapshot_id: string;
  readonly snapshot_type: string;
  readonly phase_id: string | null;
  readonly phase_created: boolean;
}

export const startTask = (house: TestHouse, ask: Record<string, unknown>): Promise<Started> =>
  house.call<Started>("start_task", { name: "T", goal: "G", ...ask });

export interface Completed {
  readonly files_changed: { added: string[]; modified: string[]; deleted: string[] };
  readonly verification: { scope_match: boolean; unexpected_files: string[]; warnings: string[] };
  readonly phase_status: string | null;
  readonly phase_number: number | null;
}

export const completeTask = (
  house: TestHouse,
  task_id: string,
  ask: Record<string, unknown> = {},
): Promise<Completed> =>
  house.call<Completed>("complete_task", { task_id, status: "success", outcome: { summary: "Done." }, ...ask });
