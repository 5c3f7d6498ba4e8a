import type { Client } from "pg";

/** Changes the version of the catalogue, so that every process reads the catalogue anew. */
export async function touchCatalogue(client: Client): Promise<void> {
  await client.query("UPDATE catalogue_state SET marks = uuid_hash_extended(gen_random_uuid(), 0)");
}
