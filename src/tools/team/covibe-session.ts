import { defineDoor } from "../define.ts";
import { withBudgetNotice } from "./budget-notice.ts";
import activity from "./session/activity.ts";
import end from "./session/end.ts";
import getContext from "./session/get-context.ts";
import heartbeat from "./session/heartbeat.ts";
import publishContext from "./session/publish-context.ts";
import revokeContext from "./session/revoke-context.ts";
import snapshot from "./session/snapshot.ts";
import start from "./session/start.ts";
import wait from "./session/wait.ts";
import { teamTool } from "./team-tool.ts";

export default withBudgetNotice(
  defineDoor({
    ...teamTool,
    name: "covibe_session",
    title: "Sessions",
    summary: "Say what you are working on and where, and read what teammates shared.",
    guidance:
      "Start one at the beginning of a long run and pass its session_id to the other tools; heartbeat while it lasts, snapshot when files change, end it when you are done.",
    operations: {
      start,
      heartbeat,
      snapshot,
      activity,
      publish_context: publishContext,
      get_context: getContext,
      revoke_context: revokeContext,
      wait,
      end,
    },
  }),
);
