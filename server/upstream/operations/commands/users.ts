import type { Gift } from "../../billing/operations";
import type { Person } from "../account-directory";
import { type Command, type CommandContext, type CommandInput, UsageError } from "../command";
import { formatTable, formatTime, fromSeconds, toTime } from "../format";
import { parseChoice, parseCount, readAccountSelector, requireAccountSelector, required, requireWords } from "../parse";

export const users: Command = {
  summary: "list accounts, or find one by its phone or id, with membership and characters",
  forms: ["[--limit N]", "--phone PHONE|--account ID"],
  notes: ["Newest first, 50 unless --limit says otherwise. Phones are shown masked."],
  values: ["account", "phone", "limit"],
  read(input) {
    requireWords(input.words, []);
    const selector = readAccountSelector(input);
    const { limit } = input.values;
    if (selector && limit !== undefined) throw new UsageError("--limit is for the list");
    const most = limit === undefined ? 50 : parseCount(limit, { name: "--limit", max: 10_000 });
    return async (context) => {
      const people = selector ? [await context.people.get(selector)] : await context.people.list(most);
      const found: User[] = [];
      for (const person of people) found.push(await toUser(context, person));
      return { data: found.map(toListed), text: found.length === 0 ? "no accounts" : formatTable(found.map(toRow)) };
    };
  },
};

type User = Awaited<ReturnType<typeof toUser>>;

async function toUser({ billing }: CommandContext, person: Person) {
  const { tier, vipExpire, svipExpire, isMonthly } = await billing.membership(person.id);
  const { svip, vip, pack } = await billing.quota(person.id);
  return {
    ...person,
    tier,
    isMonthly,
    vipUntil: fromSeconds(vipExpire),
    svipUntil: fromSeconds(svipExpire),
    charactersUsed: svip.used + vip.used + pack.used,
    charactersLeft: svip.left + vip.left + pack.left,
  };
}

const toRow = (user: User) => ({
  account: user.id,
  phone: user.phone,
  since: formatTime(user.since),
  tier: user.tier ?? "-",
  "vip until": formatTime(user.vipUntil),
  "svip until": formatTime(user.svipUntil),
  used: user.charactersUsed,
  left: user.charactersLeft,
});

const toListed = ({ id, since, vipUntil, svipUntil, ...rest }: User) => ({
  accountId: id,
  ...rest,
  since: toTime(since),
  vipUntil: toTime(vipUntil),
  svipUntil: toTime(svipUntil),
});

/** About 54 years: the limit of 32-bit seconds. */
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
    "Characters are an add-on pack of 30 days.",
  ],
  values: ["account", "phone", "tier", "days", "characters"],
  read(input) {
    requireWords(input.words, []);
    const selector = requireAccountSelector(input);
    const gift = readGift(input);
    required(input.reason, "--reason");
    return async ({ operations, people }) => {
      const person = await people.get(selector);
      await operations.grant(person.id, gift);
      const what = "characters" in gift ? `${gift.characters} characters` : `${gift.days} days of ${gift.tier}`;
      return { data: { accountId: person.id, ...gift }, text: `granted ${what} to ${person.phone} (${person.id})` };
    };
  },
};

function readGift({ values: { tier, days, characters } }: CommandInput): Gift {
  if (characters !== undefined) {
    if (tier !== undefined || days !== undefined) throw new UsageError("either days of a tier or characters, not both");
    return { characters: parseCount(characters, { name: "--characters", max: charactersMax }) };
  }
  return {
    tier: parseChoice(required(tier, "--tier (or --characters)"), ["vip", "svip"], "--tier"),
    days: parseCount(required(days, "--days"), { name: "--days", max: daysMax }),
  };
}
