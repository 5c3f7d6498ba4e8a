import * as React from "react";
import { createPortal } from "react-dom";

interface PaneProps {
  /** A selector for the part of GraphiQL that gets the pane. */
  readonly within: string;
  /** The class of the pane. */
  readonly className: string;
  readonly children: React.ReactNode;
}

/** Shows its children in a part of GraphiQL that has no place for them by itself. */
export function Pane({ within, className, children }: PaneProps): React.ReactNode {
  const [host, setHost] = React.useState<Element>();
  React.useLayoutEffect(() => {
    const element = document.createElement("div");
    element.className = className;
    document.querySelector(within)?.prepend(element);
    setHost(element);
    return () => element.remove();
  }, [within, className]);
  return host && createPortal(children, host);
}
