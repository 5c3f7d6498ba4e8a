import { BooleanInput, CheckboxGroupInput, required, TextInput } from "react-admin";
import { EVENT_TYPES, eventKey } from "./source";

const choices = EVENT_TYPES.map((id) => ({ id, name: eventKey(id) }));

/** What one says of an endpoint. */
export const EndpointFields = () => (
  <>
    <TextInput source="url" type="url" validate={required()} helperText={false} />
    <TextInput source="description" helperText={false} />
    <CheckboxGroupInput
      {...{ source: "types", choices }}
      helperText="shop.webhooks.none_is_all"
      sx={{ "& .MuiFormGroup-root": { display: "grid", gridTemplateColumns: { md: "1fr 1fr" } } }}
    />
    <BooleanInput source="includeLookup" helperText={false} />
  </>
);
