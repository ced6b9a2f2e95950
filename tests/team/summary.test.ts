import { expect, test } from "vitest";
import type { TestHouse } from "../../src/testing/house.ts";
import { inert } from "../../src/tools/team/voice/inert.ts";
import { forEachStillStore, momentAt, traceOf } from "../domain/still-house.ts";
import { bring, planned } from "../workflow/work.ts";
import { begin, info } from "./session-scene.ts";
import { ask, day } from "./state-scene.ts";

interface Section {
  readonly items: readonly { title?: string; text?: string; developer: string }[];
  readonly total: number;
}

interface Summary {
  readonly summary_id: string;
  readonly sections: Readonly<Record<string, Section>>;
  readonly markdown: string;
}

const write = (house: TestHouse) => ask<Summary>(house, "generate_weekly_summary");

const none = { items: [], total: 0 };

const emptyWeek = `# Week from 2025-12-25 to 2026-01-01

## Completed work (0)

None.

## Active work (0)

None.

## Planned work (0)

None.

## Blockers (0)

None.

## Decisions (0)

None.

## Overlap warnings (0)

None.

## Parallel audits (0)

None.

## Agent sessions (0)

None.`;

const busyWeek = `# Week from 2025-12-25 to 2026-01-01

## Completed work (1)

- Pages (ada): It works.

## Active work (2)

- Forms (ada)
- Shop (workflow, ada)

## Planned work (1)

- Mails (ada)

## Blockers (2)

- Sums (ada)
- No access. (ada)

## Decisions (1)

- Ids, not offsets. (ada)

## Overlap warnings (0)

None.

## Parallel audits (1)

- 2026-01-01: 0 possible duplicates, 2 compared

## Agent sessions (1)

- Ada (ada, active), last seen 2026-01-01 00:00`;

forEachStillStore("the week", (open) => {
  test("[TS30] a week without anything has every section", async () => {
    const house = await open();
    let id = "";
    const trace = await traceOf(house, async () => {
      const answer = await write(house);
      id = answer.data.summary_id;
      expect(answer).toEqual({
        status: "ok",
        message: "The week is written.",
        feedback: info(null),
        data: {
          summary_id: expect.stringMatching(/^rep_/),
          developer: "ada",
          since: momentAt(-7 * day),
          until: momentAt(0),
          sections: {
            completed: none,
            planned: none,
            active: none,
            blocked: none,
            blockers: none,
            decisions: none,
            overlap_warnings: none,
            parallel_audits: none,
            agent_sessions: none,
          },
          markdown: emptyWeek,
        },
      });
    });
    expect(trace.work).toEqual([
      {
        kind: "weekly_summary.generated",
        announced: "weekly_summary.generated",
        subject: id,
        channels: [`weekly_summary:${id}`],
        data: {
          since: momentAt(-7 * day),
          until: momentAt(0),
          completed: 0,
          planned: 0,
          active: 0,
          blockers: 0,
          decisions: 0,
          overlap_warnings: 0,
          parallel_audits: 0,
          agent_sessions: 0,
        },
        developerId: house.owner.developerId,
      },
    ]);
  });

  test("[TS30] everything that happened is in its section", async () => {
    const house = await open();
    const names = ["Pages", "Forms", "Mails", "Sums"];
    const work = await planned(
      house,
      names.map((name) => ({ name })),
      { name: "Shop" },
    );
    house.clock.advance(1_000);
    await bring(house, work.task("Pages"), "completed");
    await bring(house, work.task("Forms"), "in_progress");
    await bring(house, work.task("Sums"), "failed");
    await house.call("covibe_note", { kind: "decision", text: "Ids, not offsets.", task_id: work.task("Forms") });
    await house.call("covibe_note", { kind: "blocker", text: "No access.", task_id: work.task("Forms") });
    await begin(house);
    await ask(house, "audit_parallel_work");
    expect((await write(house)).data.markdown).toBe(busyWeek);
  });

  test("[TS31] what is older than seven days is not told, what is still open is", async () => {
    const house = await open();
    const work = await planned(house, [{ name: "Old" }, { name: "Open" }]);
    await bring(house, work.task("Old"), "completed");
    await bring(house, work.task("Open"), "in_progress");
    await house.call("covibe_note", { kind: "decision", text: "Long ago.", task_id: work.task("Open") });
    await ask(house, "audit_parallel_work");
    house.clock.advance(7 * day);
    const totals = async () =>
      Object.entries((await write(house)).data.sections).flatMap(([name, { total }]) =>
        ["completed", "active", "decisions", "parallel_audits"].includes(name) ? [total] : [],
      );
    const [completed, active] = await totals();
    expect(completed).toBe(1);
    house.clock.advance(1);
    expect(await totals()).toEqual([0, active, 0, 0]);
  });

  test("[TS33] a summary is kept, and who has become private since is hidden in it", async () => {
    const house = await open();
    expect(await house.call("summary_get")).toEqual({ summary: null });
    const { caller: grace } = await house.developer("grace");
    const work = await planned(house, [{ name: "Secret plans" }], { name: "Shop" }, grace);
    await bring(house, work.task("Secret plans"), "in_progress", grace);
    await ask(house, "generate_weekly_summary", {}, grace);
    const read = async (by = house.owner) =>
      (await house.call<{ summary: Summary }>("summary_get", {}, by)).summary.markdown;
    expect(await read()).toContain("- Secret plans (grace)");
    await house.call("developer_update", { handle: "grace", private: true });
    expect(await read()).toContain("\\@private (\\@private)");
    expect(await read()).not.toMatch(/Secret|grace/);
    expect(await read({ ...grace, isPrivate: true })).toContain("- Secret plans (grace)");
  });

  test("[TS32] text from agents stays text in the Markdown", async () => {
    const house = await open();
    const name = "# Heading\n- item <script>alert(1)</script> ![x](http://evil.example/x.png) `code` **bold**";
    await planned(house, [{ name }]);
    const { markdown } = (await write(house)).data;
    const [line] = markdown.split("\n").filter((text) => text.includes("Heading"));
    expect(line).toBe(
      "- \\# Heading - item \\<script\\>alert(1)\\</script\\> \\!\\[x\\](http\\://evil.example/x.png) \\`code\\` \\*\\*bold\\*\\* (ada)",
    );
  });
});

test.each([
  ["- item", "\\- item"],
  ["+ item", "\\+ item"],
  ["1. item", "1\\. item"],
  ["12) item", "12\\) item"],
  ["=== setext", "\\=== setext"],
  ["a\u202eb\u0007c\u2028d", "abc d"],
  ["| a | b |", "\\| a \\| b \\|"],
  ["&lt;b&gt;", "\\&lt;b\\&gt;"],
  ["www.evil.example", "www\\.evil.example"],
  ["~~gone~~", "\\~\\~gone\\~\\~"],
  ["ada@evil.example", "ada\\@evil.example"],
  ["  spaces   and\n\nlines ", "spaces and lines"],
  ["plain words, as they are.", "plain words, as they are."],
])("[TS32] %j is written as %j", (text, expected) => {
  expect(inert(text)).toBe(expected);
});
