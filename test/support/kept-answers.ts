import type { TestApp } from "./app";

/** The number of answers that a service keeps. */
const keptAnswers = ({ shop }: TestApp): number => {
  const cache = shop.services.catalogueCache?.current;
  return (cache as unknown as { answers: { size: number } }).answers.size;
};

/** How many more answers are kept after a request. */
export async function keptBy(app: TestApp, request: () => Promise<unknown>): Promise<number> {
  await app.sql("INSERT INTO catalogue_changes DEFAULT VALUES");
  await app.http.get("/categories"); // sees the new version
  const before = keptAnswers(app);
  await request();
  await app.http.get("/products/999999"); // is answered after all work of the request is done
  return keptAnswers(app) - before;
}
