import type { GraphQLSchema } from "graphql";
import * as React from "react";
import type { Answer, Request } from "../service";
import type { Field } from "./fields";
import type { Path } from "./values";

/** What the fields of one form share. */
export interface FormContext {
  /** The prefix of the ids of the form's elements: a page may have several forms. */
  readonly id: string;
  readonly schema: GraphQLSchema;
  readonly send: (request: Request) => Promise<Answer>;
  /** The messages beside a field. */
  readonly faultsOf: (path: Path) => readonly string[];
  /** Shows a field with the control for its type. Groups use it for their fields. */
  readonly FieldView: React.ComponentType<FieldProps>;
  /** Sets the value of a field; undefined removes it. */
  readonly change: (path: Path, value: unknown) => void;
}

const Context = React.createContext<FormContext | undefined>(undefined);

export const FormProvider = Context.Provider;

export function useForm(): FormContext {
  const form = React.useContext(Context);
  if (!form) throw new Error("A field stands in a form");
  return form;
}

/** The properties of every field. */
export interface FieldProps {
  readonly field: Field;
  readonly path: Path;
  /** Undefined if the variables don't have it. */
  readonly value: unknown;
}

/** The attributes that connect a control with its label, its help and its messages. */
export interface ControlProps {
  readonly id: string;
  readonly "aria-required": true | undefined;
  readonly "aria-invalid": true | undefined;
  readonly "aria-describedby": string | undefined;
  readonly "aria-errormessage": string | undefined;
}

export interface FieldState {
  readonly control: ControlProps;
  readonly faults: readonly string[];
  /** Ids of the elements around the control. */
  readonly ids: { readonly label: string; readonly help: string; readonly faults: string };
}

/**
 * The ids and messages of a field.
 *
 * @param ownFault the form's own message about the value, which replaces the service's
 * @param isTyping whether the value is being typed; if so, `ownFault` is shown only once the service has refused it
 */
export function useField(
  { field, path }: FieldProps,
  ownFault?: string,
  isTyping = false,
): FieldState {
  const form = useForm();
  const id = [form.id, ...path].join("-");
  const ids = { label: `${id}-label`, help: `${id}-help`, faults: `${id}-faults` };
  const told = form.faultsOf(path);
  const faults = ownFault !== undefined && (told.length > 0 || !isTyping) ? [ownFault] : told;
  const isInvalid = faults.length > 0;
  const described = [isInvalid && ids.faults, hasHelp(field) && ids.help].filter(Boolean);
  return {
    control: {
      id,
      "aria-required": field.isRequired || undefined,
      "aria-invalid": isInvalid || undefined,
      "aria-describedby": described.join(" ") || undefined,
      "aria-errormessage": isInvalid ? ids.faults : undefined,
    },
    faults,
    ids,
  };
}

const hasHelp = ({ description, deprecationReason }: Field): boolean =>
  description !== undefined || deprecationReason !== undefined;
