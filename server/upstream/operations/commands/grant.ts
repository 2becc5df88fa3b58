import type { Gift } from "../../billing/operations";
import { type Command, type Input, UsageError } from "../command";
import { parseChoice, parseCount, required, requireWords } from "../parse";
import { requireWhom } from "../whom";

/** Some 54 years: what integers of seconds can hold. */
const daysMax = 20_000;
const charactersMax = 10_000_000;

export const grant: Command = {
  summary: "give membership days or characters",
  forms: [
    "--account ID|--phone PHONE --tier vip|svip --days N --reason TEXT",
    "--account ID|--phone PHONE --characters N --reason TEXT",
  ],
  notes: [
    "Days run as bought ones do: professional first, the other tier is pushed back.",
    "Characters are an add-on pack of this month.",
  ],
  values: ["account", "phone", "tier", "days", "characters"],
  read(input) {
    requireWords(input.words, []);
    const whom = requireWhom(input);
    const gift = readGift(input);
    required(input.reason, "--reason");
    return async ({ operations, people }) => {
      const person = await people.get(whom);
      await operations.grant(person.id, gift);
      const what = "characters" in gift ? `${gift.characters} characters` : `${gift.days} days of ${gift.tier}`;
      return { data: { accountId: person.id, ...gift }, text: `granted ${what} to ${person.phone} (${person.id})` };
    };
  },
};

function readGift({ values: { tier, days, characters } }: Input): Gift {
  if (characters !== undefined) {
    if (tier !== undefined || days !== undefined) throw new UsageError("either days of a tier or characters, not both");
    return { characters: parseCount(characters, { name: "--characters", max: charactersMax }) };
  }
  return {
    tier: parseChoice(required(tier, "--tier (or --characters)"), ["vip", "svip"], "--tier"),
    days: parseCount(required(days, "--days"), { name: "--days", max: daysMax }),
  };
}
