/** The ways in which a reviewer ends its round, in the words of the tools for it. */
export const reviewEndings = [
  "The tool `send_feedback` if something is to be done: feedback, feedback_type (needs_work, suggestions or clarification), for each single thing an entry of actionable_items, and in resolved_items the open items of earlier rounds that are done.",
  "The tool `create_pull_request` with title and description if you approve. It is for the coder's branch.",
];
