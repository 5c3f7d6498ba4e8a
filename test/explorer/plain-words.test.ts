import { plainly } from "../../src/explorer/client/plain-words";

test.each([
  ["Unauthorized", "Sign in to go on."],
  ["Forbidden resource", "Your account may not do this."],
  ["Invalid credentials", "The e-mail address or the password is wrong."],
  ["Too Many Requests", "That was too often."],
  ["Service Unavailable", "The service is busy. Try again soon."],
  ["Internal Server Error", "The service has failed. Try again later."],
])("%s is told in people's words", (message, said) => {
  expect(plainly(message)).toBe(said);
});

test.each([
  ["should not be empty", "This must be filled in."],
  ['of non-null type "Int!" must not be null.', "This must be filled in."],
  ["must not be less than 1", "This must be at least 1."],
  ["must not be greater than 2147483647", "This must be at most 2147483647."],
  ["must be shorter than or equal to 255 characters", "This may have at most 255 characters."],
  ["must be longer than or equal to 3 characters", "This must have at least 3 characters."],
  [
    "must be a decimal from 0.00 to 99999999.99 with at most 2 decimal places",
    "This must be an amount such as 12.50: from 0.00 to 99999999.99 with at most 2 decimal places.",
  ],
  ["must be an email", "This is not an e-mail address."],
  ["must be an http or https URL", "This is not an address such as https://example.com/events."],
  ["must be an integer number", "This is not a whole number."],
  ["must be integers", "This is not a whole number."],
  ["Int cannot represent non-integer value: 1.5", "This is not a whole number."],
  ["Int cannot represent non 32-bit signed integer value: 3000000000", "This number is too large."],
  ["Float cannot represent non numeric value: x", "This is not a number."],
])("what a rule of a field says is told in people's words: %s", (message, said) => {
  expect(plainly(message)).toBe(said);
  expect(plainly(message.charAt(0).toUpperCase() + message.slice(1))).toBe(said);
});

test("the states of an order are words, and no constants", () => {
  expect(plainly("Order 5 is CANCELLED and can't become PAID")).toBe(
    "Order 5 is cancelled and can't become paid",
  );
});

test.each(["Product 5 not found", "Slug green-tea is already taken", "", "constructor", "$& must"])(
  "what is plain already stays as it is: %j",
  (message) => {
    expect(plainly(message)).toBe(message);
  },
);
