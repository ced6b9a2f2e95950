import { answer } from "../context.ts";
import { awaitStop } from "../progress.ts";
import type { Shell } from "../shell.ts";

export function addStop(shell: Shell): void {
  const command = shell.add({
    name: "stop",
    summary: "Stop the server of this home",
    examples: ["stop", "stop --home ./data"],
  });
  shell.does(command, async (context) => {
    const stopped = await awaitStop(context.home);
    answer(context, { stopped: stopped !== undefined, pid: stopped?.pid ?? null }, () => [
      stopped
        ? `Stopped the server (process ${stopped.pid}).`
        : "No server is running in this home. Start one with: crewdeck up",
    ]);
    return undefined;
  });
}
