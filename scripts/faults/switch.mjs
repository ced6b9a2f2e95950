/** Runs inside the tests of a round: turns one fault on, and notes which of them each test file came by. */
import { appendFileSync } from "node:fs";
import { afterAll, expect } from "vitest";

const active = Number(process.env.FAULT ?? 0);
const met = new Set();

globalThis.hasFault = (id) => {
  met.add(id);
  return id === active;
};

afterAll(() => {
  const file = process.env.FAULTS_MET;
  if (file) appendFileSync(file, `${JSON.stringify({ file: expect.getState().testPath, met: [...met] })}\n`);
  met.clear();
});
