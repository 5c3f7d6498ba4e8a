import { createDatabase, query, type TestDatabase } from "../support/database";
import { useFolder, type Folder } from "./folder";
import { tea, type Outcome, type Situation } from "./terminal";

export const HEADER = "type,slug,name,isActive,createdAt,category,price,description";

/** A line of a file: a category that products can name. */
export const green = "category,green,Green,true,2024-05-01T12:00:00.000Z,,,";

/** A file of CSV with these lines. */
export const csv = (...lines: string[]): string => [HEADER, ...lines, ""].join("\n");

/** Files, a database, and the commands between them. */
export interface CatalogueFiles {
  readonly folder: Folder;
  readonly database: TestDatabase;
  /** Runs `tea catalogue`. */
  readonly catalogue: (
    args: string[],
    situation?: Situation,
    database?: TestDatabase,
  ) => Promise<Outcome>;
  /** Imports a text as CSV. */
  readonly imported: (text: string | Buffer, ...options: string[]) => Promise<Outcome>;
  readonly sql: <Row extends object>(statement: string, values?: unknown[]) => Promise<Row[]>;
  /** All categories and all products as they are stored. */
  readonly stored: () => Promise<object[][]>;
  /** The version of the catalogue: it differs after every transaction that may have changed the catalogue. */
  readonly version: () => Promise<object[]>;
}

/** Gives each test a database of its own, or all tests of a file the same one if none of them changes it. */
export function useCatalogueFiles({ isUnchanged = false } = {}): CatalogueFiles {
  const folder = useFolder();
  let database: TestDatabase;
  const [before, after] = isUnchanged ? [beforeAll, afterAll] : [beforeEach, afterEach];
  before(async () => {
    database = await createDatabase();
  });
  after(() => database.drop());
  const sql = <Row extends object>(statement: string, values?: unknown[]): Promise<Row[]> =>
    query<Row>(database.url, statement, values);
  const catalogue: CatalogueFiles["catalogue"] = (args, situation = {}, { url } = database) =>
    tea(["catalogue", ...args], { ...situation, environment: { DATABASE_URL: url } });
  return {
    folder,
    get database() {
      return database;
    },
    catalogue,
    imported: (text, ...options) =>
      catalogue(["import", "-", "--format", "csv", ...options], { input: text }),
    sql,
    stored: async () => [
      await sql("SELECT * FROM categories ORDER BY id"),
      await sql("SELECT * FROM products ORDER BY id"),
    ],
    version: () =>
      sql("SELECT changes, marks, (SELECT count(*) FROM catalogue_changes) FROM catalogue_state"),
  };
}
