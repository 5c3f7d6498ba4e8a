import { isUnavailable } from "../../src/database/statements/failures";

const failing = (code: string, message = code): Error =>
  Object.assign(new Error(message), { code });

test.each([
  ["a connection that broke under a write", failing("EPIPE", "write EPIPE")],
  ["a server that can't be reached any more", failing("ETIMEDOUT", "read ETIMEDOUT")],
  ["a server that shuts down", failing("57P01")],
  ["a server that became read-only", failing("25006")],
])("%s is unavailability", (_name, error) => {
  expect(isUnavailable(error)).toBe(true);
});

test.each([
  ["a statement that is wrong", failing("42601")],
  ["a value that is taken", failing("23505")],
  ["a fault of ours", new TypeError("undefined is not a function")],
])("%s is none", (_name, error) => {
  expect(isUnavailable(error)).toBe(false);
});
