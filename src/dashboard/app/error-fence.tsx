import { Component, type ReactNode } from "react";
import { asFailure } from "../data/store.ts";
import { Failed } from "../parts/states.tsx";

/** A view that fails takes nothing else with it. */
export class ErrorFence extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: undefined };

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return <Failed failure={asFailure(error)} onRetry={() => location.reload()} />;
  }
}
