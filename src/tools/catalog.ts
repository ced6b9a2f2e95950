import type { AnyTool } from "../contract/tool.ts";
import bootstrap from "./index/bootstrap.ts";
import buildIndex from "./index/build-index.ts";
import buildSqliteIndex from "./index/build-sqlite-index.ts";
import cacheGc from "./index/cache-gc.ts";
import cleanArtifacts from "./index/clean-artifacts.ts";
import compactSqliteIndex from "./index/compact-sqlite-index.ts";
import configStatus from "./index/config-status.ts";
import downloadDictionaries from "./index/download-dictionaries.ts";
import downloadExtensions from "./index/download-extensions.ts";
import downloadModels from "./index/download-models.ts";
import indexStatus from "./index/index-status.ts";
import reportArtifacts from "./index/report-artifacts.ts";
import search from "./index/search.ts";
import triageContextPack from "./index/triage-context-pack.ts";
import triageDecision from "./index/triage-decision.ts";
import triageIngest from "./index/triage-ingest.ts";
import verifyExtensions from "./index/verify-extensions.ts";
import callTool from "./meta/call-tool.ts";
import { findToolsIn } from "./meta/find-tools.ts";
import wait from "./meta/wait.ts";
import completeMission from "./mission/complete-mission.ts";
import completeTask from "./mission/complete-task.ts";
import getContext from "./mission/get-context.ts";
import logDecision from "./mission/log-decision.ts";
import logIssue from "./mission/log-issue.ts";
import logMilestone from "./mission/log-milestone.ts";
import startMission from "./mission/start-mission.ts";
import startTask from "./mission/start-task.ts";
import startWorkflow from "./mission/start-workflow.ts";
import crewList from "./person/agent/crew-list.ts";
import sessionList from "./person/agent/session-list.ts";
import claimConflicts from "./person/claim/claim-conflicts.ts";
import claimRelease from "./person/claim/claim-release.ts";
import auditCreate from "./person/context/audit-create.ts";
import contentFind from "./person/context/content-find.ts";
import fileTouches from "./person/context/file-touches.ts";
import inbox from "./person/context/inbox.ts";
import recordFind from "./person/context/record-find.ts";
import recoveryList from "./person/context/recovery-list.ts";
import summaryCreate from "./person/context/summary-create.ts";
import summaryGet from "./person/context/summary-get.ts";
import teamState from "./person/context/team-state.ts";
import checksAllow from "./person/evidence/checks-allow.ts";
import checksForbid from "./person/evidence/checks-forbid.ts";
import checksShow from "./person/evidence/checks-show.ts";
import resultAccept from "./person/evidence/result-accept.ts";
import taskDiff from "./person/evidence/task-diff.ts";
import taskVerify from "./person/evidence/task-verify.ts";
import findingEvidence from "./person/finding/finding-evidence.ts";
import findingGet from "./person/finding/finding-get.ts";
import findingList from "./person/finding/finding-list.ts";
import findingPlan from "./person/finding/finding-plan.ts";
import collisionKnown from "./person/forecast/collision-known.ts";
import collisionList from "./person/forecast/collision-list.ts";
import mergeOrder from "./person/forecast/merge-order.ts";
import instanceAbandon from "./person/instance/instance-abandon.ts";
import instanceDiff from "./person/instance/instance-diff.ts";
import instanceGet from "./person/instance/instance-get.ts";
import instanceList from "./person/instance/instance-list.ts";
import instanceLog from "./person/instance/instance-log.ts";
import instancePull from "./person/instance/instance-pull.ts";
import instanceReview from "./person/instance/instance-review.ts";
import instanceStart from "./person/instance/instance-start.ts";
import instanceStop from "./person/instance/instance-stop.ts";
import instanceTails from "./person/instance/instance-tails.ts";
import programList from "./person/instance/program-list.ts";
import reviewGrant from "./person/instance/review-grant.ts";
import reviewList from "./person/instance/review-list.ts";
import handoffGet from "./person/message/handoff-get.ts";
import mailList from "./person/message/mail-list.ts";
import issueResolve from "./person/note/issue-resolve.ts";
import noteList from "./person/note/note-list.ts";
import checkConfirm from "./person/overlap/check-confirm.ts";
import checkJoin from "./person/overlap/check-join.ts";
import checkRefuse from "./person/overlap/check-refuse.ts";
import overlapGet from "./person/overlap/overlap-get.ts";
import overlapList from "./person/overlap/overlap-list.ts";
import workSimilar from "./person/overlap/work-similar.ts";
import developerCreate from "./person/person/developer-create.ts";
import developerList from "./person/person/developer-list.ts";
import developerUpdate from "./person/person/developer-update.ts";
import deviceApprove from "./person/person/device-approve.ts";
import deviceDeny from "./person/person/device-deny.ts";
import deviceList from "./person/person/device-list.ts";
import machineList from "./person/person/machine-list.ts";
import machineReport from "./person/person/machine-report.ts";
import settingsGet from "./person/person/settings-get.ts";
import tokenCreate from "./person/person/token-create.ts";
import tokenList from "./person/person/token-list.ts";
import tokenRevoke from "./person/person/token-revoke.ts";
import pullClose from "./person/pull/pull-close.ts";
import pullComment from "./person/pull/pull-comment.ts";
import pullDiff from "./person/pull/pull-diff.ts";
import pullGet from "./person/pull/pull-get.ts";
import pullList from "./person/pull/pull-list.ts";
import pullMerge from "./person/pull/pull-merge.ts";
import pullOpen from "./person/pull/pull-open.ts";
import pullSendBack from "./person/pull/pull-send-back.ts";
import taskAdd from "./person/task/task-add.ts";
import taskList from "./person/task/task-list.ts";
import taskMove from "./person/task/task-move.ts";
import taskPlan from "./person/task/task-plan.ts";
import budgetList from "./person/usage/budget-list.ts";
import budgetSet from "./person/usage/budget-set.ts";
import outcomeReport from "./person/usage/outcome-report.ts";
import usageReport from "./person/usage/usage-report.ts";
import missionList from "./person/workflow/mission-list.ts";
import workstreamList from "./person/workflow/workstream-list.ts";
import workstreamPlan from "./person/workflow/workstream-plan.ts";
import vaultList from "./person/worktree/vault-list.ts";
import vaultRestore from "./person/worktree/vault-restore.ts";
import createIssues from "./review/create-issues.ts";
import createPullRequest from "./review/create-pull-request.ts";
import requestReview from "./review/request-review.ts";
import sendFeedback from "./review/send-feedback.ts";
import covibeCoordination from "./team/covibe-coordination.ts";
import covibeIngestAgentTelemetry from "./team/covibe-ingest-agent-telemetry.ts";
import covibeNote from "./team/covibe-note.ts";
import covibeSession from "./team/covibe-session.ts";
import covibeTask from "./team/covibe-task.ts";
import covibeTeam from "./team/covibe-team.ts";
import covibeWarning from "./team/covibe-warning.ts";
import covibeWorkstream from "./team/covibe-workstream.ts";
import agentGet from "./workflow/agent-get.ts";
import agentHeartbeat from "./workflow/agent-heartbeat.ts";
import agentList from "./workflow/agent-list.ts";
import agentRegister from "./workflow/agent-register.ts";
import agentUnregister from "./workflow/agent-unregister.ts";
import agentUpdate from "./workflow/agent-update.ts";
import checkpointAdd from "./workflow/checkpoint-add.ts";
import checkpointList from "./workflow/checkpoint-list.ts";
import messageArchive from "./workflow/message-archive.ts";
import messageBroadcast from "./workflow/message-broadcast.ts";
import messageCountUnread from "./workflow/message-count-unread.ts";
import messageGet from "./workflow/message-get.ts";
import messageList from "./workflow/message-list.ts";
import messageMarkRead from "./workflow/message-mark-read.ts";
import messageSend from "./workflow/message-send.ts";
import repositoryGet from "./workflow/repository-get.ts";
import repositoryList from "./workflow/repository-list.ts";
import repositoryRegister from "./workflow/repository-register.ts";
import taskAssignWorkspace from "./workflow/task-assign-workspace.ts";
import taskCheckDependencies from "./workflow/task-check-dependencies.ts";
import taskClaim from "./workflow/task-claim.ts";
import taskGet from "./workflow/task-get.ts";
import taskGetAvailable from "./workflow/task-get-available.ts";
import taskLoadContext from "./workflow/task-load-context.ts";
import taskRelease from "./workflow/task-release.ts";
import taskReplan from "./workflow/task-replan.ts";
import taskSetPlan from "./workflow/task-set-plan.ts";
import taskUpdateStatus from "./workflow/task-update-status.ts";
import templateApply from "./workflow/template-apply.ts";
import templateCreate from "./workflow/template-create.ts";
import templateList from "./workflow/template-list.ts";
import workflowCreate from "./workflow/workflow-create.ts";
import workflowGet from "./workflow/workflow-get.ts";
import workflowGetSummary from "./workflow/workflow-get-summary.ts";
import workflowList from "./workflow/workflow-list.ts";
import workflowNextTasks from "./workflow/workflow-next-tasks.ts";
import workflowProgress from "./workflow/workflow-progress.ts";
import workflowSetParallelism from "./workflow/workflow-set-parallelism.ts";
import workflowSetPlan from "./workflow/workflow-set-plan.ts";
import workflowUpdateStatus from "./workflow/workflow-update-status.ts";
import workspaceCreate from "./workflow/workspace-create.ts";
import workspaceList from "./workflow/workspace-list.ts";
import workspaceUpdate from "./workflow/workspace-update.ts";

const published = [
  agentRegister,
  agentHeartbeat,
  agentUpdate,
  agentGet,
  agentList,
  agentUnregister,
  repositoryRegister,
  repositoryList,
  repositoryGet,
  messageSend,
  messageBroadcast,
  messageList,
  messageGet,
  messageMarkRead,
  messageArchive,
  messageCountUnread,
  workflowCreate,
  workflowGet,
  workflowList,
  workflowSetPlan,
  workflowUpdateStatus,
  workflowSetParallelism,
  workflowGetSummary,
  workflowNextTasks,
  workflowProgress,
  taskGet,
  taskSetPlan,
  taskUpdateStatus,
  taskReplan,
  taskLoadContext,
  taskCheckDependencies,
  taskAssignWorkspace,
  taskClaim,
  taskRelease,
  taskGetAvailable,
  checkpointAdd,
  checkpointList,
  workspaceCreate,
  workspaceUpdate,
  workspaceList,
  templateCreate,
  templateList,
  templateApply,
  startMission,
  completeMission,
  getContext,
  startTask,
  completeTask,
  logDecision,
  logIssue,
  logMilestone,
  startWorkflow,
  covibeTask,
  covibeWorkstream,
  covibeSession,
  covibeNote,
  covibeTeam,
  covibeCoordination,
  covibeWarning,
  covibeIngestAgentTelemetry,
  requestReview,
  sendFeedback,
  createPullRequest,
  createIssues,
  indexStatus,
  configStatus,
  buildIndex,
  search,
  downloadModels,
  downloadDictionaries,
  downloadExtensions,
  verifyExtensions,
  buildSqliteIndex,
  compactSqliteIndex,
  cacheGc,
  cleanArtifacts,
  bootstrap,
  reportArtifacts,
  triageIngest,
  triageDecision,
  triageContextPack,
] as const satisfies readonly AnyTool[];

/** Every published tool, in the stable order in which it is listed. */
export const catalog: readonly AnyTool[] = published;

/** What administers Crewdeck itself: for the CLI, the deck and scripts; never listed to a model. */
export const personTools = [
  auditCreate,
  checkConfirm,
  checkRefuse,
  checkJoin,
  claimConflicts,
  claimRelease,
  findingEvidence,
  collisionKnown,
  collisionList,
  mergeOrder,
  findingGet,
  findingList,
  findingPlan,
  handoffGet,
  checksAllow,
  checksForbid,
  checksShow,
  budgetList,
  budgetSet,
  outcomeReport,
  usageReport,
  deviceApprove,
  deviceDeny,
  deviceList,
  machineList,
  machineReport,
  developerCreate,
  developerList,
  developerUpdate,
  inbox,
  instanceAbandon,
  instanceDiff,
  instanceGet,
  instanceList,
  instanceLog,
  instancePull,
  instanceReview,
  instanceStart,
  instanceStop,
  instanceTails,
  programList,
  reviewGrant,
  reviewList,
  issueResolve,
  mailList,
  missionList,
  noteList,
  overlapGet,
  overlapList,
  workSimilar,
  pullList,
  pullGet,
  pullDiff,
  pullOpen,
  pullComment,
  pullSendBack,
  pullMerge,
  pullClose,
  resultAccept,
  crewList,
  recordFind,
  recoveryList,
  contentFind,
  fileTouches,
  sessionList,
  settingsGet,
  summaryCreate,
  summaryGet,
  taskAdd,
  taskDiff,
  taskList,
  taskMove,
  taskPlan,
  taskVerify,
  teamState,
  tokenCreate,
  tokenList,
  tokenRevoke,
  vaultList,
  vaultRestore,
  workstreamList,
  workstreamPlan,
] as const satisfies readonly AnyTool[];

/** What can be called, each with the types of its definition. */
export type ListedTool = (typeof published)[number] | (typeof personTools)[number] | typeof wait;

const findable: readonly AnyTool[] = [...published, wait];

/** What the core list has beside published tools (LS2); the MCP gate unwraps calls to the last. */
export const metaTools: readonly AnyTool[] = [wait, findToolsIn(findable), callTool];
