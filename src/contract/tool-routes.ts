import type { AnyTool, Route } from "./tool.ts";

export interface ToolRoute {
  readonly tool: AnyTool;
  readonly route: Route;
}

/** Every further address of these tools; one that is known under several names has its addresses once. */
export const routesOf = (tools: Iterable<AnyTool>): ToolRoute[] =>
  [...new Set(tools)].flatMap((tool) => (tool.routes ?? []).map((route) => ({ tool, route })));

export const isRead = ({ route }: ToolRoute): boolean => route.method === "GET";
