import type { RequestId } from "./rpc.ts";

/** Ids that were cancelled but never called are forgotten beyond this many. */
const mostRemembered = 1_000;

/** The calls of one connection that can be cancelled by their request's id. */
export class Cancellations {
  readonly #controllers = new Map<RequestId, AbortController>();

  /**
   * The signal of a call; it follows the SDK's own. A cancellation that overtook its call, as frames of one packet can,
   * still ends it.
   */
  begin(id: RequestId, sdk: AbortSignal): AbortSignal {
    const controller = this.#of(id);
    if (sdk.aborted) controller.abort();
    else sdk.addEventListener("abort", () => controller.abort(), { once: true });
    return controller.signal;
  }

  cancel(id: RequestId): void {
    this.#of(id).abort();
    const [oldest] = this.#controllers.keys();
    if (this.#controllers.size > mostRemembered && oldest !== undefined) this.#controllers.delete(oldest);
  }

  end(id: RequestId): void {
    this.#controllers.delete(id);
  }

  #of(id: RequestId): AbortController {
    const known = this.#controllers.get(id) ?? new AbortController();
    this.#controllers.set(id, known);
    return known;
  }
}
