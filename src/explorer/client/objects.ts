export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a value of JSON is an object. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The value of a field; undefined where the object does not have it itself, as `constructor`, say. */
export const valueOf = (object: unknown, name: string): unknown =>
  isObject(object) && Object.hasOwn(object, name) ? object[name] : undefined;
