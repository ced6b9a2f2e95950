/** Next steps that lead to the tools of this family. */
export const workflowSteps = {
  ownAgent: "Use the id that agent_register gave you.",
  registerAgain: "Register again with agent_register and use the new id.",
  giveTaskBack: "Give it back with task_release instead.",
  seeDependencies: "It waits for others: see which with task_check_dependencies.",
  finishBlockers: "Finish what blocked_by names first, or take another task from workflow_next_tasks.",
  stopAndTakeAnother: "Stop working on it; take another from task_get_available.",
  askOrClaimFree: "Ask its owner for it (covibe_coordination ask), or claim a free task with task_claim.",
  takeAnother: "Pick another with task_get_available.",
  renameTemplate: "Choose another name; see template_list.",
  listTemplates: "Find one with template_list.",
  seeVariables: "See what it asks for with template_list.",
  changeTasks: "Change single tasks with task_set_plan or task_replan.",
  newWorktree: "Create a new one with workspace_create.",
  setPlan: "Only {failed} or {active} tasks can; set its plan with task_set_plan instead.",
} as const;
