import * as React from "react";
import { ChoiceField } from "./choice-field";
import { kindOf } from "./fields";
import { useForm, type FieldProps } from "./form-context";
import { ListField, ObjectField } from "./group-fields";
import { ReferenceField } from "./reference-field";
import { referenceOf } from "./references";
import { TextField } from "./text-field";
import { TimeField } from "./time-field";

/** Shows a field with the control for its type. */
export function FieldView(props: FieldProps): React.ReactNode {
  const { name, type } = props.field;
  const { schema } = useForm();
  const reference = React.useMemo(() => referenceOf(schema, name, type), [schema, name, type]);
  const kind = kindOf(type);
  switch (kind) {
    case "object":
      return <ObjectField {...props} />;
    case "list":
      return <ListField {...props} />;
    case "choice":
    case "boolean":
      return <ChoiceField {...props} />;
    case "time":
      return <TimeField {...props} />;
    case "whole":
    case "number":
    case "decimal":
    case "text":
    case "json":
      return reference ? (
        <ReferenceField {...props} reference={reference} />
      ) : (
        <TextField {...props} kind={kind} />
      );
  }
}
