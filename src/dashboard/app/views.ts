import type { ComponentType } from "react";
import { matchPath, type ViewProps } from "../page/router.ts";
import { lazyPart } from "../parts/lazy-part.tsx";

export interface View {
  readonly path: string;
  readonly title: string;
  /** In the navigation under this heading; a view without one is reached by links. */
  readonly group?: "Now" | "Plan" | "Record" | "Admin";
  /** Drawn in the navigation, as lines on 16 by 16. */
  readonly icon?: string;
  /** `g` and then this key. */
  readonly letter?: string;
  /** What the navigation counts beside it: what needs the reader, or what they have not read. */
  readonly counts?: "attention" | "unread";
  readonly component: ComponentType<ViewProps>;
}

/** Every view there is, in the order of the navigation; each is loaded when it is first opened. */
export const views: readonly View[] = [
  {
    path: "/inbox",
    title: "Inbox",
    group: "Now",
    icon: "M2 9.5V3h12v6.5M2 9.5h3.5L6.5 11.5h3l1-2H14V13H2z",
    letter: "i",
    counts: "attention",
    component: part("InboxView", () => import("../views/inbox/inbox-view.tsx")),
  },
  {
    path: "/board",
    title: "Board",
    group: "Now",
    icon: "M2.5 3h3v10h-3zM6.75 3h3v7h-3zM11 3h3v4.5h-3z",
    letter: "b",
    component: part("BoardView", () => import("../views/board/board-view.tsx")),
  },
  {
    path: "/agents",
    title: "Agents",
    group: "Now",
    icon: "M8 2.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5zM3 13.5c0-2.8 2.2-4.5 5-4.5s5 1.7 5 4.5",
    letter: "a",
    component: part("AgentsView", () => import("../views/agents/agents-view.tsx")),
  },
  {
    path: "/instances/:id",
    title: "Agent",
    component: part("InstanceView", () => import("../views/instance/instance-view.tsx")),
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
    icon: "M2.5 2.5h7.5v7.5H2.5zM6 6h7.5v7.5H6z",
    letter: "o",
    component: part("OverlapsView", () => import("../views/overlap/overlaps-view.tsx")),
  },
  {
    path: "/overlap/:id",
    title: "Overlap",
    component: part("OverlapView", () => import("../views/overlap/overlap-view.tsx")),
  },
  {
    path: "/collisions",
    title: "Collisions",
    group: "Now",
    icon: "M2.5 3.5h4L8 8l1.5-4.5h4M8 8v5.5M5.5 11 8 13.5 10.5 11",
    letter: "c",
    component: part("CollisionsView", () => import("../views/collisions/collisions-view.tsx")),
  },
  {
    path: "/pulls",
    title: "Pull requests",
    group: "Now",
    icon: "M4 5.5v5M4 2.5a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3zM4 10.5a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3zM12 10.5a1.5 1.5 0 1 1 0 3 1.5 1.5 0 0 1 0-3zM12 10.5V6.5C12 5 11 4 9.5 4H7M9 2L7 4l2 2",
    letter: "r",
    component: part("PullsView", () => import("../views/pulls/pulls-view.tsx")),
  },
  {
    path: "/pulls/:id",
    title: "Pull request",
    component: part("PullView", () => import("../views/pulls/pull-view.tsx")),
  },
  {
    path: "/messages",
    title: "Messages",
    group: "Now",
    counts: "unread",
    icon: "M2 3h12v8H7l-3 2.5V11H2z",
    letter: "m",
    component: part("MessagesView", () => import("../views/messages/messages-view.tsx")),
  },
  {
    path: "/workflows",
    title: "Workflows",
    group: "Plan",
    icon: "M2 6.5h3.5v3H2zM10.5 2.5H14v3h-3.5zM10.5 10.5H14v3h-3.5zM5.5 8h2.5V4h2.5M8 8v4h2.5",
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
    icon: "M4 14V2.5h8.5L10.5 5.5l2 3H4",
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
    path: "/triage",
    title: "Triage",
    group: "Plan",
    icon: "M8 1.8 13.5 4v4c0 3.2-2.3 5.4-5.5 6.4C4.8 13.4 2.5 11.2 2.5 8V4zM8 5.2v3.6M8 10.6v1",
    letter: "t",
    component: part("TriageView", () => import("../views/triage/triage-view.tsx")),
  },
  {
    path: "/search",
    title: "Search",
    group: "Record",
    icon: "M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zM10.3 10.3l3.7 3.7",
    letter: "f",
    component: part("SearchView", () => import("../views/search/search-view.tsx")),
  },
  {
    path: "/activity",
    title: "Activity",
    group: "Record",
    icon: "M1.5 8h3l2-5 3 10 2-5h3",
    letter: "l",
    component: part("ActivityView", () => import("../views/activity/activity-view.tsx")),
  },
  {
    path: "/usage",
    title: "Usage and cost",
    group: "Record",
    icon: "M2.5 13.5V8M6.2 13.5V4M9.8 13.5V6.5M13.5 13.5V2.5",
    letter: "u",
    component: part("UsageView", () => import("../views/usage/usage-view.tsx")),
  },
  {
    path: "/summary",
    title: "Summary",
    group: "Record",
    icon: "M3.5 2h9v12h-9zM5.8 5.5h4.4M5.8 8h4.4M5.8 10.5h2.5",
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
    icon: "M2 4.5h7M12 4.5h2M2 11.5h2M7 11.5h7M10.5 3v3M5.5 10v3",
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
  return lazyPart(name, load, { what: "the view", isView: true });
}
