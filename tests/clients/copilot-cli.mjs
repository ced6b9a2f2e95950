import { join } from "node:path";
import { companionCheck } from "./companion.mjs";
import { copilotHabits } from "./companion-habits.mjs";

export const copilotCli = {
  name: "Copilot CLI",
  package: "@github/copilot",
  version: "1.0.102",
  isScript: true,
  findProgram: (modules) => join(modules, ".bin", "copilot"),
  checks: [companionCheck(copilotHabits)],
};
