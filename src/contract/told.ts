/** What an agent was warned about or kept from. */
export interface Feedback {
  readonly type: "warning" | "block";
  /** The id of the record it is about. */
  readonly subject: string;
  readonly message: string;
  readonly requiredAction: string | null;
  readonly code: string | null;
}

/**
 * An answer that warns or blocks, with what is to be kept of that. Tools record nothing: whoever called the tool keeps
 * the feedback in the same transaction, so that it can be read back later (TW2).
 */
export class Told<Answer> {
  readonly answer: Answer;
  readonly feedback: readonly Feedback[];

  constructor(answer: Answer, feedback: readonly Feedback[]) {
    this.answer = answer;
    this.feedback = feedback;
  }

  /** The same of an answer that may have nothing to keep. */
  static of<Answer>(said: Answer | Told<Answer>): Told<Answer> {
    return said instanceof Told ? said : new Told(said, []);
  }
}
