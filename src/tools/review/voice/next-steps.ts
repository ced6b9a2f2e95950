/** How a next step is said where tools are at hand for it. */
export const reviewSteps = {
  listInstances: "List the instances with `crewdeck agent list`, and use an id from there.",
  useOwnReviewTools:
    "A coding instance has request_review and create_pull_request, a review instance send_feedback and create_pull_request, a planning instance create_issues and create_pull_request.",
} as const;
