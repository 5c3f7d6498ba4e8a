import { DomainError } from "../../src/vocabulary/errors";
import { Text } from "../../src/services/input/fields";
import { Clearable, GraphqlOnly, type Door } from "../../src/services/input/rules";
import { validate } from "../../src/services/input/validate";

/** Decorators that no field of the shop has now. */
class Sample {
  @Text(3)
  code!: string;

  @GraphqlOnly()
  @Clearable()
  @Text(3)
  note?: string | null;
}

const read = (value: object, door: Door): unknown => {
  try {
    return validate(Sample, value, door);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return error.messages;
  }
};

test("a clearable field may be left out, cleared or set by its rules", () => {
  expect(read({ code: "a" }, "GraphQL")).toEqual({ code: "a" });
  expect(read({ code: "a", note: null }, "GraphQL")).toEqual({ code: "a", note: null });
  expect(read({ code: "a", note: "b" }, "GraphQL")).toEqual({ code: "a", note: "b" });
  expect(read({ code: "a", note: "long" }, "GraphQL")).toEqual([
    "note must be shorter than or equal to 3 characters",
  ]);
});

test.each([null, "b"])("REST does not know a field of GraphQL alone: %p", (note) => {
  expect(read({ code: "a" }, "REST")).toEqual({ code: "a" });
  expect(read({ code: "long", note }, "REST")).toEqual([
    "property note should not exist",
    "code must be shorter than or equal to 3 characters",
  ]);
});
