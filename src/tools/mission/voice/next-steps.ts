/** Next steps that lead to the tools of this family. */
export const missionSteps = {
  startMission: "Start one with start_mission.",
  startAnotherMission: "Start a new one with start_mission.",
  startTask: "Start it with start_task.",
  completeTask: "It gets one from complete_task.",
} as const;
