import * as React from "react";

interface FencedProps {
  /** Is shown instead of the children after one of them has thrown. */
  readonly instead: React.ReactNode;
  /** The data that the children show. When it changes, they are rendered again. */
  readonly of: unknown;
  readonly children: React.ReactNode;
}

interface State {
  readonly of?: unknown;
  readonly hasFailed: boolean;
}

/** Catches errors of its children's rendering, which would otherwise take down the whole page. */
export class Fenced extends React.Component<FencedProps, State> {
  override state: State = { hasFailed: false };

  static getDerivedStateFromError(): Partial<State> {
    return { hasFailed: true };
  }

  static getDerivedStateFromProps({ of }: FencedProps, state: State): State | null {
    return of === state.of ? null : { of, hasFailed: false };
  }

  override render(): React.ReactNode {
    return this.state.hasFailed ? this.props.instead : this.props.children;
  }
}
