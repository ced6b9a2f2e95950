import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeRepository } from "../git/scratch.ts";
import { dependabotAlert } from "../index/findings.ts";
import { serveDeck } from "./kit.ts";

const house = serveDeck();

const alertFor = (number: number, severity: string, name: string): object => {
  const about = { package: { ecosystem: "npm", name } };
  const { security_advisory: advisory } = dependabotAlert(number) as { security_advisory: object };
  return dependabotAlert(number, {
    dependency: { ...about, manifest_path: "package.json" },
    security_advisory: { ...advisory, ghsa_id: `GHSA-${number}`, cve_id: null, summary: `Flaw in ${name}`, severity },
    security_vulnerability: { ...about, severity, first_patched_version: { identifier: "2.0.0" } },
  });
};

test("[DX1, DX2, DX3, DX4, DX5] findings are decided by keyboard with the evidence beside them, and a planned fix closes its finding", async () => {
  const deck = await house.open("/deck/triage");
  await deck.see("No open findings.");
  const repository = makeRepository({
    "src/use.ts": 'import pad from "left-pad";\nexport const wide = pad("x", 9);\n',
  });
  const file = join(repository.around, "alerts.json");
  const alerts = [alertFor(1, "critical", "left-pad"), alertFor(2, "high", "minimist"), alertFor(3, "low", "ms")];
  writeFileSync(file, JSON.stringify(alerts));
  await house.call("build_index", { repoPath: repository.path });
  await house.call("triage_ingest", { repoPath: repository.path, source: "dependabot", inputPath: file });
  await deck.see("Flaw in left-pad");
  await deck.see("src/use.ts:1");
  await deck.expectAccessible("triage");
  await deck.press("j");
  await deck.page.getByRole("heading", { name: "Flaw in minimist" }).waitFor();
  await deck.press("a");
  await deck.see("Accepted: Flaw in minimist");
  await deck.page.getByRole("button", { name: "Undo" }).click();
  await deck.page.getByRole("button", { name: "High 1" }).click();
  await deck.page.getByLabel("Justification").fill("Only in a test.");
  await deck.press("Tab");
  await deck.press("x");
  await deck.see("No findings match your filters.");
  await deck.page.getByRole("button", { name: "Clear filters" }).click();
  await deck.see("Flaw in ms");
  await deck.goto("/deck/triage?state=false_positive");
  await deck.see("Only in a test.");

  await deck.goto("/deck/triage");
  await deck.page.getByRole("link", { name: "src/use.ts:1" }).first().click();
  await deck.page.getByRole("button", { name: "Remove filter path: src/use.ts" }).waitFor();
  await deck.see("src/use.ts:1");
  await deck.goto("/deck/triage");
  await deck.see("Flaw in left-pad");
  await deck.press("f");
  await deck.page.getByRole("button", { name: "Plan fix" }).click();
  await deck.see("Fix planned. The finding closes when the task is done.");
  await deck.goto("/deck/triage?state=fix");
  const link = deck.page.getByRole("link", { name: "Show the fix’s task" });
  const task_id = (await link.getAttribute("href"))?.split("/").at(-1) ?? "";
  for (const status of ["planning", "in_progress"]) await house.call("task_update_status", { id: task_id, status });
  await house.call("task_update_status", { id: task_id, status: "completed", outcome: "Raised to 2.0.0." });
  await deck.page.getByRole("option", { name: "Fixed (1)" }).waitFor({ state: "attached" });
  await deck.page.setViewportSize({ width: 360, height: 740 });
  await deck.goto("/deck/triage");
  await deck.expectNoSidewaysScroll();
  await deck.shot("triage-phone");
  await deck.page.getByRole("button", { name: /Flaw in ms/ }).click();
  await deck.page.getByRole("button", { name: "Close" }).waitFor();
  await deck.shot("triage-finding-phone");
  expect(await deck.page.locator(".triage-list").isVisible()).toBe(false);
});
