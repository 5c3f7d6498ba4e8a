import type { Model, ModelStatic } from "sequelize";
import { transliterate } from "transliteration";
import { violatedConstraint } from "../../database/statements/failures";
import { conflict } from "../../vocabulary/errors";
import { MAX_LENGTH } from "../input/fields";

/** Keeps the slugs of a table unique. A given slug may be refused; a derived one gets a suffix if needed. */
export class Slugs {
  private readonly constraint: string;

  /** `fallback` is the slug of names without any usable character. */
  constructor(
    private readonly model: ModelStatic<Model<{ slug: string }>>,
    private readonly fallback: string,
  ) {
    this.constraint = `${model.tableName}_slug_key`;
  }

  /**
   * Calls `store` with the given slug, or with the first free slug that is derived from the name: the slug
   * of the name itself, `…-2`, `…-3`, and so on. A call that loses the race for a slug tries the next one.
   *
   * @throws DomainError CONFLICT if the given slug is taken
   */
  async insert<T>(
    { name, slug }: { name: string; slug: string | undefined },
    store: (slug: string) => Promise<T>,
  ): Promise<T> {
    if (slug !== undefined) return this.refusingTaken(slug, () => store(slug));
    const base = slugOf(name, this.fallback);
    for (;;) {
      const free = await this.firstFree(base);
      try {
        return await store(free);
      } catch (error) {
        if (violatedConstraint(error) !== this.constraint) throw error;
      }
    }
  }

  /** @throws DomainError CONFLICT if `store` fails because the slug is taken */
  async refusingTaken<T>(slug: string | undefined, store: () => Promise<T>): Promise<T> {
    try {
      return await store();
    } catch (error) {
      if (slug === undefined || violatedConstraint(error) !== this.constraint) throw error;
      throw conflict(`Slug ${slug} is already taken`, { code: "SLUG_TAKEN", path: "slug", slug });
    }
  }

  private async firstFree(base: string): Promise<string> {
    for (let first = 1, count = 1; ; first += count, count = Math.min(count * 4, 1024)) {
      const candidates = Array.from({ length: count }, (_, index) => suffixed(base, first + index));
      const where = { slug: candidates };
      const rows = await this.model.findAll({ attributes: ["slug"], where });
      const taken = new Set(rows.map((row) => row.get("slug")));
      const free = candidates.find((candidate) => !taken.has(candidate));
      if (free !== undefined) return free;
    }
  }
}

/**
 * The slug of a name: transliterated and at most 120 characters; `fallback` if no character is left. It is the same for
 * composed and decomposed names. Only as much is read as a name can have, because normalising takes quadratic time.
 */
export function slugOf(name: string, fallback: string): string {
  const composed = name.slice(0, 2 * MAX_LENGTH.name).normalize("NFC");
  const words = transliterate(composed)
    .toLowerCase()
    .replace(/['’]/g, "")
    .replace(/[^a-z0-9]+/g, "-");
  return trimHyphens(trimHyphens(words).slice(0, MAX_LENGTH.slug)) || fallback;
}

function suffixed(base: string, number: number): string {
  if (number === 1) return base;
  const suffix = `-${number}`;
  return trimHyphens(base.slice(0, MAX_LENGTH.slug - suffix.length)) + suffix;
}

const trimHyphens = (text: string): string => text.replace(/^-|-$/g, "");
