export { type Feedback, listFeedback } from "./feedback-store.ts";
