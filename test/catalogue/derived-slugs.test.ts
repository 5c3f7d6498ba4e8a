import { dataOf } from "../graphql/client";
import { useApp } from "../support/app";
import { clauseEach } from "../support/clause";

const app = useApp();

clauseEach<[name: string, slug: string]>(
  "4.slugs.derived",
  "a composed and a decomposed name have the same derived slug, and stay as they were given",
  { doors: ["REST", "GraphQL"] },
  {
    Japanese: ["ガブ", "gabu"],
    Korean: ["녹차", "nogca"],
    Vietnamese: ["Trà Ướp", "tra-uop"],
  },
  async ([composed, slug]) => {
    const given = [composed, composed.normalize("NFD")];
    const created: unknown[] = [];
    for (const name of given) {
      const { body } = await app.http
        .post("/categories")
        .set("Authorization", app.asAdmin)
        .send({ name });
      created.push({ name: body.name, slug: body.slug });
    }
    for (const name of given) {
      const query = `mutation ($name: String!) { createCategory(input: { name: $name }) { name slug } }`;
      const { createCategory } = await dataOf<{ createCategory: object }>(app, query, { name });
      created.push(createCategory);
    }
    expect(created).toEqual(
      [slug, `${slug}-2`, `${slug}-3`, `${slug}-4`].map((each, index) => ({
        name: given[index % 2],
        slug: each,
      })),
    );
  },
);
