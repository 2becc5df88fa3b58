import { type Command, type Office, UsageError } from "../command";
import { formatTime, fromSeconds, toTime } from "../format";
import { parseCount, requireWords } from "../parse";
import type { Person } from "../people";
import { formatTable } from "../table";
import { readWhom } from "../whom";

export const users: Command = {
  summary: "list accounts, or find one by its phone or id, with membership and characters",
  forms: ["[--limit N]", "--phone PHONE|--account ID"],
  notes: ["Newest first, 50 unless --limit says otherwise. Phones are shown masked."],
  values: ["account", "phone", "limit"],
  read(input) {
    requireWords(input.words, []);
    const whom = readWhom(input);
    const { limit } = input.values;
    if (whom && limit !== undefined) throw new UsageError("--limit is for the list");
    const most = limit === undefined ? 50 : parseCount(limit, { name: "--limit", max: 10_000 });
    return async (office) => {
      const people = whom ? [await office.people.get(whom)] : await office.people.list(most);
      const found: User[] = [];
      for (const person of people) found.push(await toUser(office, person));
      return { data: found.map(toListed), text: found.length === 0 ? "no accounts" : formatTable(found.map(toRow)) };
    };
  },
};

type User = Awaited<ReturnType<typeof toUser>>;

async function toUser({ billing }: Office, person: Person) {
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
