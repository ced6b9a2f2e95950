import { writeFileSync } from "node:fs";
import { beforeAll, expect, test, vi } from "vitest";
import { verifyApart } from "../../src/main/verify-apart.ts";
import { verifyFile } from "../../src/main.ts";
import { freshLocation, openTestHouse } from "../../src/testing/house.ts";
import { ensureBuilt } from "../cli/program.ts";

beforeAll(ensureBuilt);

test("[DU24] another process checks a store that is in use, once for all who ask meanwhile, and finds what we would", async () => {
  const location = freshLocation("sqlite");
  const house = await openTestHouse("sqlite", { location });
  await house.agent("Ada");
  const verifyHere = vi.fn(verifyFile);
  const verify = verifyApart(verifyHere);
  const [one, other] = [verify(location), verify(location)];
  expect(other).toBe(one);
  expect(await one).toEqual(await verifyFile(location));
  expect(verifyHere).not.toHaveBeenCalled();
  await house.house.close();
});

test("[DU24] a file that cannot be opened is refused as it always was", async () => {
  const location = freshLocation("sqlite");
  writeFileSync(location, "Nothing that SQLite knows.");
  await expect(verifyApart(verifyFile)(location)).rejects.toMatchObject({ code: "INVALID_INPUT" });
});
