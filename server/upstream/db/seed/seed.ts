import type { Db } from "../database";
import { featured } from "./humans/featured";
import type { SeedHuman } from "./humans/human";
import { square } from "./humans/square";
import { seedProducts } from "./products";

/** Defaults of a member's role: its category on the square and the text of its preview. */
export const personalRole = {
  category: "真人声音",
  preview: "你好，很高兴认识你。想说的话交给我，我来替你讲给大家听。",
};

/** The seeded roles, those of the home page first. */
export const humans: SeedHuman[] = [...featured, ...square];

/** Updates the seeded roles and packages. Idempotent, also for several servers at once. */
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
