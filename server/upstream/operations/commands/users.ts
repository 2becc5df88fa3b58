import { changeBan, endLogins } from "../../accounts/credentials";
import type { Gift } from "../../billing/gifts";
import { AppError } from "../../errors";
import type { AccountSelector, Person } from "../account-directory";
import type { CommandContext } from "../command";
import { fromSeconds } from "../format";
import { cutPage, defineOperation, fieldOf, pageFields, pageSize, type Section, toSection } from "../operation";
import { anomalySection, toAnomaly } from "./anomalies";
import { grantedSection, orderSection, sectionsOfOrder, toOrderJson } from "./orders";
import { readTasks, taskSection } from "./tasks";

type User = Awaited<ReturnType<typeof toUser>>;

async function toUser({ billing }: Pick<CommandContext, "billing">, person: Person) {
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

const userActs = ["person", "grant", "grant-characters", "ban", "unban", "log-out"];
const whenOf: Record<string, string> = { ban: "!bannedAt", unban: "bannedAt" };

const userColumns =
  "accountId=account phone since:time tier -isMonthly:json vipUntil:time=vip_until svipUntil:time=svip_until " +
  "charactersUsed:number=used charactersLeft:number=left bannedAt:time=banned";

const userSection = (users: User[], next: string | null = null) =>
  toSection(
    "users",
    userColumns,
    users.map(({ id, ...user }) => ({ accountId: id, ...user })),
    { acts: userActs.map((name) => ({ name, fill: { who: "accountId" }, when: whenOf[name] })), next },
  );

/** What an account has: tier and characters, logins, its newest orders and tasks. */
async function sectionsOfPerson(context: CommandContext, person: Person): Promise<Section[]> {
  const logins = context.db
    .selectFrom("login_token")
    .select(["created_at as createdAt", "expires_at as expiresAt"])
    .where("account_id", "=", person.id)
    .orderBy("created_at", "desc")
    .limit(20);
  const [user, orders, tasks, sessions] = await Promise.all([
    toUser(context, person),
    context.operations.orders({ accountId: person.id, limit: 20 }),
    readTasks(context.db, { owner: `account:${person.id}`, limit: 20 }),
    logins.execute(),
  ]);
  return [
    userSection([user]),
    orderSection(orders),
    taskSection(tasks),
    toSection("logins", "createdAt:time=login expiresAt:time=until", sessions),
  ];
}

/** About 54 years: the limit of 32-bit seconds. */
const daysMax = 20_000;
const charactersMax = 10_000_000;

const aliases = { account: "who", phone: "who" };
const money = { roles: ["support", "finance"], needsReason: true, needsFreshCode: true } as const;
const aboutPerson = { roles: ["support"], needsReason: true, preview: "person" } as const;
const describe = ({ phone, id }: Person) => `${phone} (${id})`;

const people = [
  defineOperation({
    name: "users",
    summary: "list accounts, or find one by its phone or id, with membership and characters",
    cli: { words: ["users"], aliases },
    roles: ["support", "finance"],
    isRead: true,
    notes: ["Newest first, 50 unless --limit says otherwise. Phones are shown masked."],
    fields: { who: fieldOf.account().optional(), ...pageFields() },
    async run(context, { who, limit = pageSize, after }) {
      const found = who ? [await context.people.get(who)] : await context.people.list({ limit: limit + 1, after });
      const page = cutPage(found, limit);
      const users: User[] = [];
      for (const person of page.rows) users.push(await toUser(context, person));
      return { sections: [userSection(users, page.next)], empty: "no accounts" };
    },
  }),
  defineOperation({
    name: "person",
    summary: "show a person by phone, account or any number of a payment: tier, characters, orders, tasks, logins",
    cli: { words: ["person"], takes: ["who"] },
    roles: ["support", "finance", "moderator"],
    isRead: true,
    fields: { who: fieldOf.number("WHO", "a phone, an account's id or a number of a payment") },
    async run(context, { who }) {
      const person = await context.people.find(who);
      if (person) return { sections: await sectionsOfPerson(context, person) };
      const [record] = await context.operations.orders({ number: who, limit: 1 });
      if (!record) throw new AppError("not-found", "no account or order has this number");
      const buyer = await context.people.find(record.order.account_id);
      const itsOrder = sectionsOfOrder(record).map((section) => ({ ...section, name: `found-${section.name}` }));
      return { sections: [...itsOrder, ...(buyer ? await sectionsOfPerson(context, buyer) : [])] };
    },
  }),
  defineOperation({
    name: "order",
    summary: "find an order by any of its numbers, with its history and what its payer has used",
    cli: { words: ["orders"], takes: ["order"] },
    roles: ["support", "finance"],
    isRead: true,
    notes: ["NUMBER: our order, the out-trade number, the gateway's transaction or a refund."],
    fields: { order: fieldOf.number("NUMBER", "a number of a payment") },
    async run(context, { order: number }) {
      const [record] = await context.operations.orders({ number, limit: 1 });
      if (record) {
        const buyer = await context.people.find(record.order.account_id);
        const use = buyer ? [userSection([await toUser(context, buyer)])] : [];
        const granted = await grantedSection(context.db, record.order.id);
        return { sections: [...sectionsOfOrder(record), ...granted, ...use], data: toOrderJson(record) };
      }
      // A payment without an order appears only as an anomaly.
      const filed = await context.operations.anomalies({ number });
      if (filed.length === 0) throw new AppError("not-found", "no order has this number");
      return { sections: [anomalySection(filed)], data: { anomalies: filed.map(toAnomaly) } };
    },
  }),
];

async function give({ operations, people }: CommandContext, who: AccountSelector, gift: Gift, what: string) {
  const person = await people.get(who);
  await operations.grant(person.id, gift);
  return { data: { accountId: person.id, ...gift }, message: `granted ${what} to ${describe(person)}` };
}

const grants = [
  defineOperation({
    name: "grant",
    summary: "give membership days",
    cli: { words: ["grant"], aliases },
    ...money,
    notes: ["Days run as bought ones do: professional first, the other tier is pushed back."],
    fields: {
      who: fieldOf.account(),
      tier: fieldOf.choice("--tier", ["vip", "svip"]),
      days: fieldOf.count("--days", daysMax),
    },
    run: (context, { who, tier, days }) => give(context, who, { tier, days }, `${days} days of ${tier}`),
  }),
  defineOperation({
    name: "grant-characters",
    summary: "give characters as an add-on pack of 30 days",
    cli: { words: ["grant"], option: { name: "characters", field: "characters" }, aliases },
    ...money,
    fields: { who: fieldOf.account(), characters: fieldOf.count("--characters", charactersMax) },
    run: (context, { who, characters }) => give(context, who, { characters }, `${characters} characters`),
  }),
];

/** Tokens of a banned account are kept, so that their calls learn why they are refused. */
const setBan = (isBanned: boolean) =>
  defineOperation({
    name: isBanned ? "ban" : "unban",
    summary: isBanned
      ? "ban an account: its calls and logins are refused, its tasks are stopped, its data stay"
      : "end a ban; the person logs in anew",
    cli: { words: ["users", isBanned ? "ban" : "unban"], aliases },
    ...aboutPerson,
    fields: { who: fieldOf.account() },
    async run({ operations, people, queue }, { who }) {
      const person = await people.get(who);
      const target = { target: person.id, detail: {} };
      await operations.audited(isBanned ? "ban" : "unban", target, async (trx) => {
        await changeBan(trx, person.id, isBanned);
        if (!isBanned) return;
        const payload = { owner: `account:${person.id}` };
        await queue.enqueue(trx, { kind: "tasks-stop", key: person.id, payload, maxAttempts: 5, priority: 20 });
      });
      queue.wake();
      const message = `${describe(person)} is ${isBanned ? "banned" : "free again"}`;
      return { data: { accountId: person.id, banned: isBanned }, message };
    },
  });

const access = [
  setBan(true),
  setBan(false),
  defineOperation({
    name: "log-out",
    summary: "end all logins of an account",
    cli: { words: ["users", "log-out"], aliases },
    ...aboutPerson,
    fields: { who: fieldOf.account() },
    async run({ operations, people }, { who }) {
      const person = await people.get(who);
      const target = { target: person.id, detail: (ended: number) => ({ logins: ended }) };
      const logins = await operations.audited("log-out-everywhere", target, (trx) => endLogins(trx, person.id));
      return { data: { accountId: person.id, logins }, message: `${logins} logins of ${describe(person)} have ended` };
    },
  }),
];

export const userOperations = [...people, ...grants, ...access];
