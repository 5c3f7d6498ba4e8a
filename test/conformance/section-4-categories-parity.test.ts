import { clauseEach } from "../support/clause";
import { aTime, expectParity, startTwins, type ParityCase, type Twins } from "../parity/twins";

let twins: Twins;
beforeAll(async () => {
  twins = await startTwins();
});
afterAll(() => twins.close());

const run = (each: ParityCase) => expectParity(twins, each);
const operation = "createCategory";
const longName = "x".repeat(121);

clauseEach<ParityCase>(
  "4.categories.list",
  "every category by name, the same through both doors",
  { doors: ["REST", "GraphQL"] },
  {
    "in an empty shop": () => ({ operation: "listCategories", ok: [] }),
    "letter case ignored": async ({ make }) => {
      const white = await make.category({ name: "white", is_active: false });
      const black = await make.category({ name: "Black" });
      const oolong = await make.category({ name: "Oolong" });
      const shown = ({ id, name, slug }: typeof white, isActive = true) => {
        return { id, name, slug, isActive, createdAt: aTime };
      };
      return {
        operation: "listCategories",
        ok: [shown(black), shown(oolong), shown(white, false)],
      };
    },
  },
  run,
);

const created = (name: string, slug: string, isActive = true) => ({
  ok: { id: expect.any(Number), name, slug, isActive, createdAt: aTime },
  effect: {
    categories: {
      gone: [],
      come: [expect.objectContaining({ name, slug, is_active: isActive })],
    },
  },
});

clauseEach<ParityCase>(
  "4.categories.create",
  "what is given is stored and answered, the same through both doors",
  { doors: ["REST", "GraphQL"] },
  {
    "a name alone": () => ({
      operation,
      input: { body: { name: "Green Tea" } },
      ...created("Green Tea", "green-tea"),
    }),
    "a name in need of trimming and transliteration": () => ({
      operation,
      input: { body: { name: "  Пуэр Шэн\t" } },
      ...created("Пуэр Шэн", "puer-shen"),
    }),
    everything: () => ({
      operation,
      input: { body: { name: "Rooibos", slug: "red-bush", isActive: false } },
      ...created("Rooibos", "red-bush", false),
    }),
    "a derived slug that is taken": async ({ make }) => {
      await make.category({ slug: "chai" });
      return { operation, input: { body: { name: "Chai" } }, ...created("Chai", "chai-2") };
    },
  },
  run,
);

const badSlug = "slug must be lower-case words of a-z and 0-9 joined by single hyphens";

clauseEach<ParityCase>(
  "4.categories.create",
  "what is not fit is refused with the same messages through both doors",
  { doors: ["REST", "GraphQL"] },
  {
    "an empty name": () => ({
      operation,
      input: { body: { name: "" } },
      refused: [400, ["name should not be empty"]],
    }),
    "a blank name": () => ({
      operation,
      input: { body: { name: " \n " } },
      refused: [400, ["name should not be empty"]],
    }),
    "too long a name and a bad slug": () => ({
      operation,
      input: { body: { name: longName, slug: "Nicht-So" } },
      refused: [
        400,
        expect.arrayContaining(["name must be shorter than or equal to 120 characters", badSlug]),
      ],
    }),
    "NUL in the name": () => ({
      operation,
      input: { body: { name: "a\0b" } },
      refused: [400, ["name must be well-formed Unicode without NUL"]],
    }),
    "a lone surrogate in the name": () => ({
      operation,
      input: { body: { name: "a\ud800b" } },
      refused: [400, ["name must be well-formed Unicode without NUL"]],
    }),
    "a slug that is null": () => ({
      operation,
      input: { body: { name: "Tea", slug: null } },
      refused: [400, ["slug must be a string"]],
    }),
    "a state that is null": () => ({
      operation,
      input: { body: { name: "Tea", isActive: null } },
      refused: [400, ["isActive must be a boolean value"]],
    }),
    "a slug that is taken": async ({ make }) => {
      await make.category({ slug: "white-tea" });
      return {
        operation,
        input: { body: { name: "Tea", slug: "white-tea" } },
        refused: [409, "Slug white-tea is already taken"],
      };
    },
  },
  run,
);

clauseEach<ParityCase>(
  "4.categories.update",
  "changes are made or refused the same through both doors",
  { doors: ["REST", "GraphQL"] },
  {
    "what is given changes, the slug stays": async ({ make }) => {
      const { id, slug } = await make.category({ name: "Before" });
      return {
        operation: "updateCategory",
        input: { id, body: { name: " After ", isActive: false } },
        ok: { id, name: "After", slug, isActive: false, createdAt: aTime },
        effect: {
          categories: {
            gone: [expect.objectContaining({ id, name: "Before", is_active: true })],
            come: [expect.objectContaining({ id, name: "After", slug, is_active: false })],
          },
        },
      };
    },
    "nothing is given, nothing changes": async ({ make }) => {
      const { id, name, slug } = await make.category();
      return {
        operation: "updateCategory",
        input: { id, body: {} },
        ok: { id, name, slug, isActive: true, createdAt: aTime },
      };
    },
    "null is no value": async ({ make }) => ({
      operation: "updateCategory",
      input: { id: (await make.category()).id, body: { name: null } },
      refused: [400, ["name must be a string"]],
    }),
    "an unknown category": () => ({
      operation: "updateCategory",
      input: { id: 2_000_000_000, body: { name: "x" } },
      refused: [404, "Category not found"],
    }),
    "an unknown category, and nothing to change": () => ({
      operation: "updateCategory",
      input: { id: 2_000_000_000, body: {} },
      refused: [404, "Category not found"],
    }),
    "a slug that is taken": async ({ make }) => {
      const { id } = await make.category();
      const { slug } = await make.category();
      return {
        operation: "updateCategory",
        input: { id, body: { slug } },
        refused: [409, `Slug ${slug} is already taken`],
      };
    },
    "its own slug is free": async ({ make }) => {
      const { id, name, slug } = await make.category();
      return {
        operation: "updateCategory",
        input: { id, body: { slug } },
        ok: { id, name, slug, isActive: true, createdAt: aTime },
      };
    },
  },
  run,
);

clauseEach<ParityCase>(
  "4.categories.delete",
  "a category is deleted or kept the same through both doors",
  { doors: ["REST", "GraphQL"] },
  {
    "without products": async ({ make }) => {
      const { id, name, slug } = await make.category();
      return {
        operation: "deleteCategory",
        input: { id },
        ok: { id, name, slug, isActive: true, createdAt: aTime },
        effect: { categories: { gone: [expect.objectContaining({ id })], come: [] } },
      };
    },
    "with products": async ({ make }) => {
      const { category_id: id } = await make.product();
      return {
        operation: "deleteCategory",
        input: { id },
        refused: [409, `Category ${id} has products`],
      };
    },
    "an unknown one": () => ({
      operation: "deleteCategory",
      input: { id: 2_000_000_000 },
      refused: [404, "Category not found"],
    }),
    "an id that nothing can have": () => ({
      operation: "deleteCategory",
      input: { id: 0 },
      refused: [404, "Category not found"],
    }),
  },
  run,
);
