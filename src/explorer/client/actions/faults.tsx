import * as React from "react";

interface FaultsProps {
  readonly messages: readonly string[];
}

/** Messages about what went wrong. */
export function Faults({ messages }: FaultsProps): React.ReactNode {
  return (
    <div role="alert" className="fault">
      {messages.map((message) => (
        <p key={message}>{message}</p>
      ))}
    </div>
  );
}
