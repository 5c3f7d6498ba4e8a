import type { GraphQLSchema } from "graphql";
import * as React from "react";
import { assignFaults } from "../inputs/faults";
import { upperFirst } from "../inputs/names";
import { operationOf } from "../operation-of";
import { plainly } from "../plain-words";
import { faultsOf, forVisitors, type Answer, type Request } from "../service";
import { wordsOf } from "./words";

interface AnswerFaultsProps {
  readonly answer: Answer;
  readonly request: Request;
  readonly schema: GraphQLSchema | undefined;
  readonly isSignedIn: boolean;
}

/** Shows each error message of an answer on a line of its own, with the name of its field. */
export function AnswerFaults(props: AnswerFaultsProps): React.ReactNode {
  const lines = React.useMemo(() => linesOf(props), [props.answer, props.schema, props.isSignedIn]);
  if (lines.length === 0) return null;
  return (
    <div className="answer-faults" role="alert">
      {lines.map((line, index) => (
        <p key={index}>{line}</p>
      ))}
    </div>
  );
}

function linesOf({ request, schema, isSignedIn, ...props }: AnswerFaultsProps): readonly string[] {
  const answer = isSignedIn ? props.answer : forVisitors(props.answer);
  const operation = operationOf(request)?.operation;
  if (!schema || !operation) return faultsOf(answer).map(plainly);
  const { byField, rest } = assignFaults(answer, schema, operation);
  const ofFields = [...byField].map(([field, texts]) => `${nameOf(field)}: ${texts.join(" ")}`);
  return [...ofFields, ...rest];
}

/** The name of a field for people, from its path: "Items 2 quantity" for `input.items.1.quantity`. */
function nameOf(path: string): string {
  const parts = path.split(".").map((part) => (isIndex(part) ? `${Number(part) + 1}` : part));
  const named = parts.length > 1 && parts[0] === "input" ? parts.slice(1) : parts;
  return upperFirst(named.map((part) => wordsOf(part.replace(/Id$/, ""))).join(" "));
}

const isIndex = (part: string): boolean => /^[0-9]+$/.test(part);
