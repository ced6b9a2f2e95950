/** Loads a part of the program, runs it and ends with its exit code. */
export async function start(load, argv, name) {
  const { run } = await load().catch((error) => {
    if (error.code !== "ERR_MODULE_NOT_FOUND" || !String(error.url ?? error.message).includes("/dist/")) throw error;
    process.stderr.write("Crewdeck is not built yet. Run `npm run build` first.\n");
    process.exit(1);
  });
  const code = await run(argv, () => import("../dist/program/main.js"), name);
  // What was printed must be out before the process ends; nothing that is still open may keep it.
  process.stdout.write("", () => process.stderr.write("", () => process.exit(code)));
}
