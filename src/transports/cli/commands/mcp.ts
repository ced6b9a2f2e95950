import type { Shell } from "../shell.ts";

/** Told here for its help; the program answers it before the command line is loaded, unless options stand before it. */
export function addMcp(shell: Shell): void {
  const command = shell
    .add({
      name: "mcp",
      makesHome: true,
      summary: "Run the MCP server on stdin and stdout, for a client's configuration",
      examples: ["mcp", "mcp --tools core,message_send", "mcp --tools workflow --read-only", "mcp --in-process"],
    })
    .option("--tools <list>", "what is listed: profiles (auto, core, all), families and tools, comma separated")
    .option("--exclude <list>", "families and tools that are neither listed nor callable")
    .option("--read-only", "only tools that change nothing")
    .option("--repo <dir>", "the repository the agent works in")
    .option("--role <role>", "what the agent is there for, for reviews and pull requests: coding (default) or planning")
    .option("--in-process", "run everything in this process, without a server");
  shell.does<Record<string, string | boolean>>(command, async (context, options) => {
    const { run } = await import("../../bridge/main.ts");
    const flags = Object.entries(options).flatMap(([key, value]) => {
      const flag = `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
      return value === true ? [flag] : [flag, String(value)];
    });
    return run(["--home", context.home.dir, ...flags], context.loadProgram);
  });
}
