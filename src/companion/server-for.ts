import type { Home } from "../adapters/home.ts";
import { findTarget, type Target } from "./server.ts";

/** Finds the server for a client once, however many reports go there. */
export function targetsOf(
  { home, env }: { home: Home; env: NodeJS.ProcessEnv },
  usual: string | undefined,
): (agent: string, baseUrl?: string) => Promise<Target> {
  const found = new Map<string, Promise<Target>>();
  return (agent, baseUrl = usual) => {
    const key = `${agent} ${baseUrl ?? ""}`;
    const target = found.get(key) ?? findTarget({ home, env, agent, baseUrl });
    found.set(key, target);
    return target;
  };
}
