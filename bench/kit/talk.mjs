import { startNode } from "./programs.mjs";

/** Starts one of the bench's own programs and gives a function that asks it something and resolves with its answer. */
export function startHelper(file) {
  const child = startNode([file], { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const waiting = new Map();
  let lastId = 0;
  child.on("message", ({ id, answer }) => {
    waiting.get(id)?.resolve(answer);
    waiting.delete(id);
  });
  child.once("exit", (code) => {
    for (const { reject } of waiting.values()) reject(new Error(`a program of the bench ended with ${code}`));
  });
  const ask = (what, value) => {
    lastId += 1;
    const id = lastId;
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      child.send({ id, what, value });
    });
  };
  return { child, ask };
}

/** The other side: answers each question by the function of its name. */
export function answerQuestions(answers) {
  process.on("message", async ({ id, what, value }) => {
    process.send({ id, answer: await answers[what](value) });
  });
  process.once("disconnect", () => process.exit());
}

/** A clock that every process on the machine shares, in milliseconds. */
export const sharedNow = () => Number(process.hrtime.bigint()) / 1e6;
