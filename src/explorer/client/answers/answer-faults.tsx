import * as React from "react";
import { faultsOf, type Answer } from "../service";

/** Every message of an answer on a line of its own, each with its code. */
export function AnswerFaults({ answer }: { answer: Answer }): React.ReactNode {
  const { errors = [] } = answer;
  if (errors.length === 0) return null;
  const lines = errors.flatMap((fault) =>
    faultsOf({ errors: [fault] }).map((message) => ({ message, code: fault.extensions?.code })),
  );
  return (
    <div className="answer-faults" role="alert">
      {lines.map(({ message, code }, index) => (
        <p key={index}>
          {message} {code !== undefined && <code>{code}</code>}
        </p>
      ))}
    </div>
  );
}
