import { dayBounds } from "../../billing/month";
import type { Act, Command, Input } from "../command";
import { formatMistakes, toListedMistake } from "../mistakes";
import { parseChoice, parseDay, parseId, required, requireWords } from "../parse";

export const mistakes: Command = {
  summary: "list what was filed about payments and nobody has resolved, or mark it as resolved",
  forms: ["[list] [--date YYYY-MM-DD] [--all]", "resolve MISTAKE --reason TEXT"],
  notes: ["--date: filed on that day. --all: the resolved ones too. A refund that is done resolves what it settles."],
  values: ["date"],
  flags: ["all"],
  read(input) {
    const [name = "list", ...words] = input.words;
    return actions[parseChoice(name, ["list", "resolve"] as const, "mistakes")]({ ...input, words });
  },
};

const actions: Record<"list" | "resolve", (input: Input) => Act> = {
  list({ words, values: { date }, flags }) {
    requireWords(words, []);
    const filed = date === undefined ? undefined : dayBounds(parseDay(date));
    return async ({ operations }) => {
      const found = await operations.mistakes({ filed, isOpen: !flags.all });
      return { data: found.map(toListedMistake), text: found.length === 0 ? "no mistakes" : formatMistakes(found) };
    };
  },
  resolve({ words, reason }) {
    const [mistake = ""] = requireWords(words, ["MISTAKE"]);
    const id = parseId(mistake, "a mistake's id");
    required(reason, "--reason");
    return async ({ operations }) => {
      const resolved = await operations.resolveMistake(id);
      return { data: toListedMistake(resolved), text: `${resolved.kind} ${resolved.ref} is resolved` };
    };
  },
};
