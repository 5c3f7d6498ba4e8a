import * as React from "react";

interface FencedProps {
  /** What is shown in place of the children after a fault of theirs. */
  readonly instead: React.ReactNode;
  /** What the children show: with another one they are tried again. */
  readonly of: unknown;
  readonly children: React.ReactNode;
}

interface State {
  readonly of?: unknown;
  readonly hasFailed: boolean;
}

/** Keeps a fault while its children are rendered from taking the whole page with it. */
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
