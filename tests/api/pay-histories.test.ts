import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CashierAction, createPayer, createTestBilling, type Order } from "../support/billing";
import { openTestDatabase, testEngines } from "../support/database";
import { withinTimeLimit } from "../support/in-time";
import { findViolations } from "../support/ledger-invariants";
import { createUnreliableGateway, type Fault } from "../support/unreliable-gateway";

type Servers = [Awaited<ReturnType<typeof createTestBilling>>, Awaited<ReturnType<typeof createTestBilling>>];

const levers: CashierAction[] = ["pay", "pay", "fail", "late", "duplicate", "tamper", "double"];
const event = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      order: fc.constantFrom("vip-month", "svip-month", "svip-year", "pack-1"),
      platform: fc.constantFrom(1 as const, 2 as const),
      payer: fc.nat({ max: 1 }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ pull: fc.constantFrom(...levers), link: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ ask: fc.nat() }) },
  {
    weight: 3,
    arbitrary: fc.record({ work: fc.constantFrom("all", "sandbox-notify", "pay-query", "pay-expire", "pay-refund") }),
  },
  { weight: 3, arbitrary: fc.record({ wait: fc.constantFrom(4, 70, 1900, 90_000) }) },
  fc.record({ refund: fc.nat(), share: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ replay: fc.nat() }),
);
type Event = typeof event extends fc.Arbitrary<infer T> ? T : never;
const fault = fc.constantFrom<Fault | undefined>(undefined, undefined, undefined, "before", "after");

describe.each(testEngines)("the history of payments on %s", (engine) => {
  let servers: Servers;
  let close: () => Promise<void>;
  let faults: Array<Fault | undefined> = [];
  beforeAll(async () => {
    const handle = await openTestDatabase(engine);
    const { around } = createUnreliableGateway(() => faults.pop());
    const referral = { characters: 1000, monthMax: 1 };
    servers = [
      await createTestBilling(handle, { around, referral }),
      await createTestBilling(handle, { around, referral }),
    ];
    close = handle.close;
  });
  afterAll(() => close());

  const play = async (events: Event[]) => {
    const [first, second] = servers;
    const people = [0, 1].map(() => crypto.randomUUID());
    // Each was sent by the one before: a chain in which the middle one pays and is rewarded.
    for (const [at, accountId] of people.entries()) {
      const referrer = people[at - 1] ?? "unreferred";
      await first.billing.referrals.giveCode(first.db, referrer);
      const { code } = await first.billing.referrals.show(referrer);
      await first.billing.referrals.bind(first.db, { accountId, phoneHash: accountId, code });
    }
    const links: Order[] = [];
    for (const [index, one] of events.entries()) {
      const server = index % 2 ? second : first;
      const payers = people.map((account) => createPayer(server, account));
      const link = (pick: number) => links[pick % Math.max(1, links.length)];
      if ("order" in one) {
        const answer = await payers[one.payer]?.order(one.order, { platform: one.platform });
        if (answer?.code === 0) links.push(answer.data);
      } else if ("pull" in one) {
        const chosen = link(one.link);
        if (chosen) await payers[0]?.pull(chosen, one.pull);
      } else if ("ask" in one) {
        const chosen = link(one.ask);
        if (chosen) await Promise.all(payers.map((payer) => payer.result(chosen)));
      } else if ("work" in one) {
        await server.work(one.work === "all" ? undefined : [one.work]);
      } else if ("wait" in one) {
        await first.advance(one.wait);
        second.set(first.now());
      } else if ("refund" in one) {
        const chosen = link(one.refund);
        if (chosen) await server.operations.refund(chosen.orderId, Math.ceil(chosen.price / one.share)).catch(() => {});
      } else {
        const received = await server.db
          .selectFrom("job")
          .select("payload")
          .where("kind", "=", "sandbox-notify")
          .execute();
        const chosen = received[one.replay % Math.max(1, received.length)];
        if (chosen) {
          const payload = JSON.stringify(chosen.payload);
          await server.db.insertInto("job").values({ kind: "sandbox-notify", payload }).execute();
        }
      }
    }
  };

  /** Restores the network and advances the clock by a day. */
  const settleDown = async () => {
    faults = [];
    const [first, second] = servers;
    for (let i = 0; i < 8; i++) {
      await first.advance(5400);
      second.set(first.now());
      await Promise.all([first.work(), second.work()]);
    }
  };

  it("keeps every ledger invariant", { timeout: 300_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { minLength: 8, maxLength: 30 }),
        fc.array(fault, { maxLength: 30 }),
        withinTimeLimit(async (events: Event[], trouble: Array<Fault | undefined>) => {
          await sql`truncate wallet, pay_anomaly, sandbox_trade, job cascade`.execute(servers[0].db);
          faults = [...trouble];
          await play(events);
          await settleDown();
          expect(await findViolations(servers[0].db)).toEqual({});
        }),
      ),
      { numRuns: Number(process.env.PAY_HISTORIES ?? 12), endOnFailure: true },
    );
  });
});
