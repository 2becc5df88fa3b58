import type { HouseCommand } from "../command";
import { requireWords } from "../parse";

export const migrate: HouseCommand = {
  summary: "bring the database's schema up to date",
  forms: [""],
  notes: ["Servers do the same when they start. Whoever migrates at the same time waits."],
  read({ words }) {
    requireWords(words, []);
    return async (house) => {
      const done = await house.migrate();
      return { data: done, text: done.length === 0 ? "nothing to do" : `done: ${done.join(", ")}` };
    };
  },
};
