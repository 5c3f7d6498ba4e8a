import { invalid } from "../../vocabulary/reasons";
import { empty, rule, textFault } from "./rules";

const URL_MAX_LENGTH = 2000;

/** An absolute http or https URL without a user or a fragment. It stays as given. */
export const WebUrl = (): PropertyDecorator =>
  rule("url", (value) => {
    if (value === "") return empty;
    const fault = textFault(value, URL_MAX_LENGTH);
    if (fault) return fault;
    const text = String(value);
    const url = URL.canParse(text) ? new URL(text) : undefined;
    const isWeb = url?.protocol === "http:" || url?.protocol === "https:";
    if (!url || !isWeb) return invalid("must be an http or https URL");
    if (url.username !== "" || url.password !== "") return invalid("must not have a user");
    return text.includes("#") ? invalid("must not have a fragment") : undefined;
  });
