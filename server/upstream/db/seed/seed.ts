import type { Db } from "../database";
import written from "./humans.json" with { type: "json" };
import { seedProducts } from "./products";

/** Defaults of a member's role: its category on the square and the text of its preview. */
export const personalRole = {
  category: "真人声音",
  preview: "你好，很高兴认识你。想说的话交给我，我来替你讲给大家听。",
};

/** A seeded role: a character, a drawn portrait and a designed voice. */
interface SeedHuman {
  /** The row's id, stable across releases. */
  id: string;
  name: string;
  /** One line: the voice · its use. */
  describe: string;
  gender: "male" | "female";
  category: string;
  tags: string[];
  language: "zh";
  /** PortraitParameters of server/portrait, kept as plain JSON. */
  portrait: Record<string, string | number | string[]>;
  design: SeedVoice;
  /** The text of its preview; synthesised on first start. */
  preview: string;
}

/** Has the shape of the speech port's VoiceDesign; see there for units. */
interface SeedVoice {
  pitchHz: number;
  pitchSpreadSt: number;
  tract: number;
  breath: number;
  tilt: number;
  rate: number;
  mix: { styles: Record<string, number>; medianHz: number; shiftSt: number; tempo: number };
}

/** The seeded roles: those of the home page in its order, then those that only the square lists. */
export const humans = [
  ...written.featured,
  ...written.square,
  // TypeScript gives each mix in the file the style names of all mixes.
] as unknown[] as SeedHuman[];

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
