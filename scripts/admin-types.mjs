// Writes the types of the admin app's documents, which its modules import, without building it.
import { generateAdminTypes } from "./build/admin.mjs";

await generateAdminTypes();
