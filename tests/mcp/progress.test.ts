import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Progress } from "../../src/engine/call.ts";
import { letPass } from "../../src/testing/waiting.ts";
import { throttleProgress } from "../../src/transports/mcp/progress.ts";
import { openServer } from "../http/routes.ts";
import { ways } from "./clients.ts";
import { modernMeta, RawPipe } from "./pipe.ts";
import { slowTools } from "./slow-tools.ts";

describe("the throttle", () => {
  test("[MC71] figures increase, and notices are 250 ms apart, whatever is reported when", () => {
    const report = fc.record({ wait: fc.nat(400), progress: fc.integer({ min: -5, max: 50 }) });
    fc.assert(
      fc.property(fc.array(report, { maxLength: 100 }), (reports) => {
        let now = 0;
        const sent: { at: number; progress: number }[] = [];
        const send = throttleProgress(
          ({ progress }) => void sent.push({ at: now, progress }),
          () => now,
        );
        for (const { wait, progress } of reports) {
          now += wait;
          send({ progress });
        }
        for (const [place, { at, progress }] of sent.entries()) {
          const before = sent[place - 1];
          if (before) expect(at - before.at >= 250 && progress > before.progress).toBe(true);
        }
        expect(sent[0]?.progress).toBe(reports[0]?.progress);
      }),
    );
  });

  test("[MC71] what comes too soon is left out, not kept for later", () => {
    let now = 0;
    const sent: Progress[] = [];
    const send = throttleProgress(
      (progress) => void sent.push(progress),
      () => now,
    );
    for (const [at, progress] of [
      [0, 1],
      [100, 2],
      [249, 3],
      [250, 4],
      [600, 4],
      [700, 3],
      [800, 5],
    ] as const) {
      now = at;
      send({ progress, total: 5 });
    }
    expect(sent.map(({ progress }) => progress)).toEqual([1, 4, 5]);
  });
});

describe.each(ways)("progress, $name", ({ connect }) => {
  test("[MC70, MC71] reaches who asked for it, increasing", async () => {
    const client = await connect(await openServer({ tools: slowTools }));
    const seen: Progress[] = [];
    const call = { name: "progressing", arguments: { steps: 8, ms: 100 } };
    await client.callTool(call, { onprogress: (progress) => void seen.push(progress) });
    expect(seen.length).toBeGreaterThanOrEqual(2);
    expect(seen[0]).toEqual({ progress: 1, total: 8, message: "step 1" });
    for (const [place, { progress, total, message }] of seen.entries()) {
      expect({ total, message }).toEqual({ total: 8, message: `step ${progress}` });
      expect(progress).toBeGreaterThan(seen[place - 1]?.progress ?? 0);
    }
  });
});

describe("progress on the wire", () => {
  test.each([
    ["legacy", {}],
    ["modern", modernMeta],
  ] as const)("[MC70] in the %s era only a token brings notices, with that token", async (era, meta) => {
    const pipe = await RawPipe.open(await openServer({ tools: slowTools }));
    onTestFinished(() => pipe.close());
    if (era === "legacy") await pipe.handshake();
    const notices = () => pipe.received.filter(({ method }) => method === "notifications/progress");
    await pipe.callTool(1, "progressing", { steps: 3, ms: 10 }, meta);
    expect(notices()).toEqual([]);
    for (const progressToken of ["mine", 0]) {
      await pipe.callTool(String(progressToken), "progressing", { steps: 1, ms: 0 }, { ...meta, progressToken });
      expect(notices().at(-1)?.params).toEqual({ progressToken, progress: 1, total: 1, message: "step 1" });
    }
  });

  test.each(["notifications/cancelled", "$/cancelRequest"])("[MC72] after %s nothing more is sent", async (method) => {
    const pipe = await RawPipe.open(await openServer({ tools: slowTools }));
    onTestFinished(() => pipe.close());
    await pipe.handshake();
    const params = { name: "progressing", arguments: { steps: 30, ms: 50 }, _meta: { progressToken: 1 } };
    pipe.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
    await pipe.until((message) => message.method === "notifications/progress");
    pipe.notify(method, { requestId: 1, id: 1 });
    await pipe.request("after", "ping");
    const before = pipe.received.filter((message) => message.method === "notifications/progress").length;
    await letPass(900, "meanwhile more would have been sent");
    expect(pipe.received.filter((message) => message.method === "notifications/progress")).toHaveLength(before);
  });
});
