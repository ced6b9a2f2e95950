import { defineDoor } from "../define.ts";
import { TeamAnswer } from "./voice/answer.ts";
import dismiss from "./warning/dismiss.ts";

export default defineDoor({
  name: "covibe_warning",
  family: "team",
  title: "Warnings",
  summary: "Put aside a warning about overlapping work that came from a check of your own.",
  actorKey: "session_id",
  output: TeamAnswer,
  operations: { dismiss },
});
