import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createCodes, type Gift } from "~server/upstream/billing/gifts";
import { createPayer, openTestBilling, type TestBilling } from "../support/billing";
import { testEngines } from "../support/database";

describe.each(testEngines)("redeem codes on %s", (engine) => {
  let setup: TestBilling;
  beforeAll(async () => {
    setup = await openTestBilling(engine);
  });
  afterAll(() => setup.close());

  const dayMs = 86_400_000;
  const createBatch = (gift: Gift, count = 1) => {
    const expiresAt = new Date(setup.now().getTime() + dayMs);
    return setup.db.transaction().execute((trx) => createCodes(trx, { gift, count, note: "a test", expiresAt }));
  };
  const redeem = (payer: { post: ReturnType<typeof createPayer>["post"] }, code = "") =>
    payer.post("/pay/redeem", { code });
  const packOf = async (account: string) => (await setup.billing.quota(account)).pack.total;

  it("give days of a tier, which the ledger shows", async () => {
    const { codes, batchId } = await createBatch({ tier: "svip", days: 7 });
    const payer = createPayer(setup);
    expect((await redeem(payer, codes[0])).data).toEqual({ tier: "svip", days: 7, characters: 0 });
    const { tier, svipExpire } = await setup.billing.membership(payer.account);
    expect(tier).toBe("svip");
    expect(Math.round(svipExpire - setup.now().getTime() / 1000) / 86_400).toBeCloseTo(7, 2);
    const { list } = await setup.billing.ledger(payer.account, { page: 1, pageSize: 10 });
    expect(list).toMatchObject([
      { kind: "grant", bucket: "svip", characters: 23_333 },
      { kind: "grant", bucket: "svip", characters: 0, ref: `code:${batchId}` },
    ]);
  });

  it("give characters, typed in lower case, with spaces and mistaken letters; the ledger shows their end", async () => {
    const { codes } = await createBatch({ characters: 800 });
    const payer = createPayer(setup);
    const typed = ` ${codes[0]?.toLowerCase().replaceAll("-", " ").replaceAll("0", "o").replaceAll("1", "l")}`;
    expect((await redeem(payer, typed)).data).toMatchObject({ tier: "", characters: 800 });
    expect(await packOf(payer.account)).toBe(800);
    const { list } = await setup.billing.ledger(payer.account, { page: 1, pageSize: 10 });
    expect(list).toMatchObject([{ kind: "grant", bucket: "pack", characters: 800 }]);
    expect(list[0]?.endsAt).not.toBe("");
  });

  it("answer a repeated call alike and give once", async () => {
    const { codes } = await createBatch({ characters: 300 });
    const payer = createPayer(setup);
    for (let times = 0; times < 2; times++)
      expect((await redeem(payer, codes[0])).data).toMatchObject({ characters: 300 });
    expect(await packOf(payer.account)).toBe(300);
  });

  it("are refused when unknown, withdrawn, another's, the second of their batch, or expired", async () => {
    const { codes, batchId } = await createBatch({ characters: 300 }, 3);
    const [payer, other] = [createPayer(setup), createPayer(setup)];
    await redeem(payer, codes[0]);
    expect(await redeem(payer, "AAAA-BBBB-CCCC-DDDD")).toMatchObject({ msg: "redeem-wrong" });
    expect(await redeem(other, codes[0])).toMatchObject({ msg: "redeem-used" });
    expect(await redeem(payer, codes[1])).toMatchObject({ msg: "redeem-repeated" });
    await setup.db.updateTable("redeem_batch").set({ expires_at: setup.now() }).where("id", "=", batchId).execute();
    expect(await redeem(other, codes[1])).toMatchObject({ msg: "redeem-expired" });
    await setup.db.updateTable("redeem_batch").set({ withdrawn_at: setup.now() }).where("id", "=", batchId).execute();
    expect(await redeem(other, codes[1])).toMatchObject({ msg: "redeem-wrong" });
    expect(await packOf(other.account)).toBe(0);
  });

  it("are spent at most once under concurrency, and an account spends one of a batch", async () => {
    const attempt = fc.record({ account: fc.nat({ max: 2 }), code: fc.nat({ max: 2 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(attempt, { minLength: 2, maxLength: 10 }), async (attempts) => {
        const { codes, batchId } = await createBatch({ characters: 100 }, 3);
        const payers = [0, 1, 2].map(() => createPayer(setup, randomUUID()));
        const answers = await Promise.all(
          attempts.map(({ account, code }) => redeem(payers[account] ?? { post: expect.fail }, codes[code])),
        );
        const refused = answers.filter(({ code }) => code !== 0).map(({ msg }) => msg);
        expect(refused.filter((msg) => msg !== "redeem-used" && msg !== "redeem-repeated")).toEqual([]);
        const spent = await setup.db
          .selectFrom("redeem_code")
          .select("account_id")
          .where("batch_id", "=", batchId)
          .where("account_id", "is not", null)
          .execute();
        expect(new Set(spent.map(({ account_id }) => account_id)).size).toBe(spent.length);
        expect(spent.length).toBeGreaterThan(0);
        const granted = await Promise.all(payers.map(({ account }) => packOf(account)));
        expect(granted.reduce((sum, one) => sum + one, 0)).toBe(100 * spent.length);
        expect(Math.max(...granted)).toBeLessThanOrEqual(100);
      }),
      { numRuns: 25 },
    );
  });
});
