import type { ComponentType } from "react";
import { matchPath, type ViewProps } from "../page/router.ts";
import { lazyPart } from "../parts/lazy-part.tsx";

export interface View {
  readonly path: string;
  readonly title: string;
  /** In the navigation under this heading; a view without one is reached by links. */
  readonly group?: "Now" | "Plan" | "Record" | "Admin";
  /** `g` and then this key. */
  readonly letter?: string;
  /** The navigation says beside it how many things need a person. */
  readonly showsAttention?: boolean;
  readonly component: ComponentType<ViewProps>;
}

/** Every view there is, in the order of the navigation; each is loaded when it is first opened. */
export const views: readonly View[] = [
  {
    path: "/inbox",
    title: "Inbox",
    group: "Now",
    letter: "i",
    showsAttention: true,
    component: part("InboxView", () => import("../views/inbox/inbox-view.tsx")),
  },
  {
    path: "/board",
    title: "Board",
    group: "Now",
    letter: "b",
    component: part("BoardView", () => import("../views/board/board-view.tsx")),
  },
  {
    path: "/agents",
    title: "Agents",
    group: "Now",
    letter: "a",
    component: part("AgentsView", () => import("../views/agents/agents-view.tsx")),
  },
  {
    // Where sessions had a page of their own; what was bookmarked there still opens the agent.
    path: "/sessions",
    title: "Agents",
    component: part("AgentsView", () => import("../views/agents/agents-view.tsx")),
  },
  {
    path: "/overlap",
    title: "Overlap",
    group: "Now",
    letter: "o",
    component: part("OverlapsView", () => import("../views/overlap/overlaps-view.tsx")),
  },
  {
    path: "/overlap/:id",
    title: "Overlap",
    component: part("OverlapView", () => import("../views/overlap/overlap-view.tsx")),
  },
  {
    path: "/messages",
    title: "Messages",
    group: "Now",
    letter: "m",
    component: part("MessagesView", () => import("../views/messages/messages-view.tsx")),
  },
  {
    path: "/workflows",
    title: "Workflows",
    group: "Plan",
    letter: "w",
    component: part("WorkflowsView", () => import("../views/workflows/workflows-view.tsx")),
  },
  {
    path: "/workflows/:id",
    title: "Workflow",
    component: part("WorkflowView", () => import("../views/workflow/workflow-view.tsx")),
  },
  {
    path: "/missions",
    title: "Missions",
    group: "Plan",
    letter: "n",
    component: part("MissionsView", () => import("../views/missions/missions-view.tsx")),
  },
  {
    path: "/missions/:id",
    title: "Mission",
    component: part("MissionView", () => import("../views/mission/mission-view.tsx")),
  },
  {
    path: "/tasks/:id",
    title: "Task",
    component: part("TaskView", () => import("../views/task/task-view.tsx")),
  },
  {
    path: "/activity",
    title: "Activity",
    group: "Record",
    letter: "l",
    component: part("ActivityView", () => import("../views/activity/activity-view.tsx")),
  },
  {
    path: "/usage",
    title: "Usage and cost",
    group: "Record",
    letter: "u",
    component: part("UsageView", () => import("../views/usage/usage-view.tsx")),
  },
  {
    path: "/summary",
    title: "Summary",
    group: "Record",
    letter: "y",
    component: part("SummaryView", () => import("../views/summary/summary-view.tsx")),
  },
  {
    path: "/device",
    title: "Approve a machine",
    component: part("SettingsView", () => import("../views/settings/settings-view.tsx")),
  },
  {
    path: "/settings",
    title: "Settings",
    group: "Admin",
    letter: "s",
    component: part("SettingsView", () => import("../views/settings/settings-view.tsx")),
  },
];

/** Where `/` leads. */
export const home = "/board";

export function findView(path: string): { view: View; params: Readonly<Record<string, string>> } | undefined {
  for (const view of views) {
    const params = matchPath(view.path, path);
    if (params) return { view, params };
  }
  return undefined;
}

function part<Name extends string>(name: Name, load: () => Promise<Record<Name, ComponentType<ViewProps>>>) {
  return lazyPart(name, load, { what: "the view" });
}
