export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether a JSON value is an object. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The value of an object's own field; undefined if there is none, also for inherited ones such as `constructor`. */
export const valueOf = (object: unknown, name: string): unknown =>
  isObject(object) && Object.hasOwn(object, name) ? object[name] : undefined;
