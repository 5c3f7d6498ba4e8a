import type { Columns } from "../../vocabulary/columns";
import type { CategoryRecord } from "./categories";
import type { ProductRecord } from "./products";

/** The columns of a category, for REST's answers and long lists. `import-export/entries.ts` says which a file has. */
export const categoryColumns = {
  id: { holds: "integer", rest: true },
  name: { holds: "text", rest: true },
  slug: { holds: "text", rest: true },
  isActive: { holds: "flag", rest: true },
  createdAt: { holds: "time", rest: true },
  version: { holds: "integer", rest: false },
} as const satisfies Columns<CategoryRecord>;

/** The columns of a product, for REST's answers and long lists. `import-export/entries.ts` says which a file has. */
export const productColumns = {
  id: { holds: "integer", rest: true },
  name: { holds: "text", rest: true },
  slug: { holds: "text", rest: true },
  description: { holds: "text", rest: true },
  price: { holds: "decimal", rest: true },
  isActive: { holds: "flag", rest: true },
  categoryId: { holds: "integer", rest: true },
  createdAt: { holds: "time", rest: true },
  updatedAt: { holds: "time", rest: true },
  version: { holds: "integer", rest: false },
} as const satisfies Columns<ProductRecord>;
