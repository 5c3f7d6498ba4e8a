import type { Client } from "pg";

/** Changes the version of the catalogue, so that every process reads the catalogue anew. */
export async function touchCatalogue(client: Client): Promise<void> {
  await client.query("INSERT INTO catalogue_changes DEFAULT VALUES ON CONFLICT DO NOTHING");
}
