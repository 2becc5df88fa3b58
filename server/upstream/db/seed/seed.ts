import type { Db } from "../database";
import { humans } from "./humans";
import { seedProducts } from "./products";

/** Brings the product's own digital humans and packages up to date; safe to run at every start and by several servers at once. */
export async function seed(db: Db): Promise<void> {
  for (const [index, human] of humans.entries()) {
    const role = {
      name: human.name,
      describe: human.describe,
      gender: human.gender,
      category: human.category,
      tags: human.tags,
      language: human.language,
      portrait: JSON.stringify(human.portrait),
      design: JSON.stringify(human.design),
      preview_text: human.preview,
      is_public: true,
      home_rank: index + 1,
    };
    await db
      .insertInto("role")
      .values({ id: human.id, ...role })
      .onConflict((conflict) => conflict.column("id").doUpdateSet(role))
      .execute();
  }
  await seedProducts(db);
}
