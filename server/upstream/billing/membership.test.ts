import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type Grant,
  type GrantChange,
  largestRefund,
  type Membership,
  shareOf,
  type Tier,
  tierAt,
  toMembership,
} from "./membership";

const day = 86_400;
const start = 1_800_000_000;
const tiers = ["svip", "vip"] as const;
const runs = { numRuns: 1000 };

let grants = 0;
const grant = (tier: Tier, days: number, atDay: number, monthly = false): Grant => ({
  id: `grant-${grants++}`,
  tier,
  seconds: days * day,
  monthly,
  at: start + atDay * day,
});
const refund = ({ id, seconds }: Grant, atDay: number, share = 1): GrantChange => ({
  changes: id,
  seconds: -seconds * share,
  at: start + atDay * day,
});
const inDays = ({ vipExpire, svipExpire }: Membership) => ({
  vip: vipExpire && (vipExpire - start) / day,
  svip: svipExpire && (svipExpire - start) / day,
});
/** Remaining seconds of each tier. */
const remaining = ({ vipExpire, svipExpire }: Membership, now: number): Record<Tier, number> => ({
  svip: Math.max(0, svipExpire - now),
  vip: Math.max(0, vipExpire - Math.max(now, svipExpire)),
});

/** Purchases over several years in chronological order. */
const histories = fc
  .array(
    fc.record({
      tier: fc.constantFrom(...tiers),
      days: fc.integer({ min: 1, max: 400 }),
      monthly: fc.boolean(),
      wait: fc.integer({ min: 0, max: 200 }),
    }),
    { minLength: 1, maxLength: 10 },
  )
  .map((steps) => {
    let at = 0;
    return steps.map(({ tier, days, monthly, wait }) => {
      at += wait;
      return grant(tier, days, at, monthly);
    });
  });

/** Days that each grant still provides at a time: consumes the days one by one. */
function leftOfEach(rows: ReadonlyArray<Grant | GrantChange>, untilDay: number): Map<string, number> {
  const left = new Map<string, { tier: Tier; days: number }>();
  for (let today = 0; today <= untilDay; today++) {
    for (const row of rows.filter(({ at }) => at === start + today * day)) {
      if ("changes" in row) {
        const held = left.get(row.changes);
        if (held) held.days = Math.max(0, held.days + row.seconds / day);
      } else left.set(row.id, { tier: row.tier, days: row.seconds / day });
    }
    if (today === untilDay) break;
    const active = [...left.values()].filter(({ days }) => days > 0);
    const running = active.find(({ tier }) => tier === "svip") ?? active[0];
    if (running) running.days -= 1;
  }
  return new Map([...left].map(([id, { days }]) => [id, days * day]));
}

describe("stacking of grants", () => {
  test.each([
    ["normal time alone", [grant("vip", 30, 0)], { vip: 30, svip: 0 }],
    ["normal time on top", [grant("vip", 30, 0), grant("vip", 30, 10)], { vip: 60, svip: 0 }],
    ["professional pushes normal back", [grant("vip", 30, 0), grant("svip", 30, 10)], { svip: 40, vip: 60 }],
    ["normal waits for professional", [grant("svip", 30, 0), grant("vip", 30, 10)], { svip: 30, vip: 60 }],
    ["professional on both", [grant("svip", 30, 0), grant("vip", 30, 0), grant("svip", 30, 5)], { svip: 60, vip: 90 }],
    ["nothing to push after expiry", [grant("vip", 30, 0), grant("svip", 30, 40)], { svip: 70, vip: 30 }],
  ])("%s", (_name, rows, expected) => {
    expect(inDays(toMembership(rows, start))).toEqual(expected);
  });

  test("adds exactly the purchased time and shortens no grant", () => {
    fc.assert(
      fc.property(histories, (rows) => {
        for (const [index, one] of rows.entries()) {
          const before = remaining(toMembership(rows.slice(0, index), one.at), one.at);
          const after = remaining(toMembership(rows.slice(0, index + 1), one.at), one.at);
          expect(after).toEqual({ ...before, [one.tier]: before[one.tier] + one.seconds });
        }
      }),
      runs,
    );
  });

  test("uses professional time before normal time", () => {
    fc.assert(
      fc.property(histories, (rows) => {
        const last = rows.at(-1)?.at ?? start;
        const membership = toMembership(rows, last);
        const { vipExpire, svipExpire } = membership;
        if (vipExpire > last) expect(vipExpire).not.toBe(svipExpire);
        expect(tierAt(membership, last)).toBe(svipExpire > last ? "svip" : "vip");
      }),
      runs,
    );
  });
});

describe("refunds", () => {
  test("after half of a professional month leave all the normal days that waited for it", () => {
    const bought = [grant("vip", 30, 0), grant("svip", 30, 10)] as const;
    const after = toMembership([...bought, refund(bought[1], 25)], start + 25 * day);
    expect(inDays(after)).toEqual({ svip: 25, vip: 45 });
  });

  test("of an older order do not change a newer one of the same tier", () => {
    const bought = [grant("vip", 30, 0), grant("vip", 30, 10)] as const;
    const after = toMembership([...bought, refund(bought[0], 20)], start + 20 * day);
    expect(inDays(after).vip).toBe(50);
  });

  test("of a used-up order remove nothing", () => {
    const bought = [grant("svip", 30, 0), grant("vip", 30, 0)] as const;
    const before = toMembership(bought, start + 40 * day);
    expect(toMembership([...bought, refund(bought[0], 40)], start + 40 * day)).toEqual(before);
  });

  test("remove exactly the remaining time of their order at any moment", () => {
    fc.assert(
      fc.property(histories, fc.nat(), fc.nat({ max: 500 }), (bought, pick, wait) => {
        const chosen = bought[pick % bought.length] as Grant;
        const atDay = ((bought.at(-1) as Grant).at - start) / day + wait;
        const now = start + atDay * day;
        const before = remaining(toMembership(bought, now), now);
        const after = remaining(toMembership([...bought, refund(chosen, atDay)], now), now);
        const stillGiven = leftOfEach(bought, atDay).get(chosen.id) ?? 0;
        expect(after).toEqual({ ...before, [chosen.tier]: before[chosen.tier] - stillGiven });
      }),
      { numRuns: 300 },
    );
  });

  test("of any number of orders leave the sum of the remaining time of the others", () => {
    const steps = fc.array(fc.record({ pick: fc.nat(), wait: fc.nat({ max: 60 }) }), { maxLength: 4 });
    fc.assert(
      fc.property(histories, steps, (bought, refunds) => {
        let atDay = ((bought.at(-1) as Grant).at - start) / day;
        const rows: Array<Grant | GrantChange> = [...bought];
        for (const { pick, wait } of refunds) {
          atDay += wait;
          rows.push(refund(bought[pick % bought.length] as Grant, atDay));
        }
        const now = start + atDay * day;
        const left = leftOfEach(rows, atDay);
        const sumOf = (tier: Tier) =>
          bought.reduce((sum, one) => sum + (one.tier === tier ? (left.get(one.id) ?? 0) : 0), 0);
        expect(remaining(toMembership(rows, now), now)).toEqual({ svip: sumOf("svip"), vip: sumOf("vip") });
      }),
      { numRuns: 300 },
    );
  });

  test("at the moment of the purchase exactly undo it", () => {
    fc.assert(
      fc.property(histories, (rows) => {
        const newest = rows.at(-1) as Grant;
        const before = toMembership(rows.slice(0, -1), newest.at);
        const undone = toMembership(
          [...rows, { changes: newest.id, seconds: -newest.seconds, at: newest.at }],
          newest.at,
        );
        expect(undone).toEqual(before);
      }),
      runs,
    );
  });

  test("that are cancelled return exactly what they removed", () => {
    fc.assert(
      fc.property(histories, fc.nat(), fc.nat({ max: 500 }), (bought, pick, wait) => {
        const chosen = bought[pick % bought.length] as Grant;
        const atDay = ((bought.at(-1) as Grant).at - start) / day + wait;
        const now = start + atDay * day;
        const taken = refund(chosen, atDay);
        const cancelled = toMembership([...bought, taken, { ...taken, seconds: -taken.seconds }], now);
        expect(cancelled).toEqual(toMembership(bought, now));
      }),
      { numRuns: 300 },
    );
  });

  test("in parts equal one refund of the whole and never exceed the order", () => {
    const parts = fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(parts, fc.integer({ min: 1, max: 3650 * day }), (amounts, seconds) => {
        const amountFen = amounts.reduce((sum, one) => sum + one, 0);
        let refundedFen = 0;
        let taken = 0;
        for (const one of amounts) {
          refundedFen += one;
          const share = shareOf(seconds, { refundedFen, amountFen });
          expect(share).toBeGreaterThanOrEqual(taken);
          taken = share;
        }
        expect(taken).toBe(seconds);
      }),
      runs,
    );
  });
});

test("the largest refund takes at most what is left, and a fen more takes more", () => {
  const values = fc.record({ whole: fc.nat(200_000).map((n) => n + 1), amountFen: fc.nat(50_000).map((n) => n + 1) });
  fc.assert(
    fc.property(values, fc.nat(), fc.nat(), ({ whole, amountFen }, seedBefore, seedLeft) => {
      const refundedFen = seedBefore % (amountFen + 1);
      const taken = shareOf(whole, { refundedFen, amountFen });
      const left = seedLeft % (whole - taken + 1);
      const most = largestRefund(whole, { refundedFen, amountFen, left });
      const takes = (fen: number) => shareOf(whole, { refundedFen: refundedFen + fen, amountFen }) - taken;
      expect(takes(most)).toBeLessThanOrEqual(left);
      if (refundedFen + most < amountFen) expect(takes(most + 1)).toBeGreaterThan(left);
    }),
    runs,
  );
});

describe("the monthly allowance", () => {
  test("is taken from the newest active grant", () => {
    const rows = [grant("vip", 365, 0), grant("svip", 30, 10, true)];
    expect(toMembership(rows, start + 20 * day).isMonthly).toBe(true);
    expect(toMembership(rows, start + 41 * day).isMonthly).toBe(false);
  });

  test("is false without an active grant", () => {
    expect(toMembership([grant("vip", 30, 0, true)], start + 31 * day).isMonthly).toBe(false);
    expect(toMembership([], start).isMonthly).toBe(false);
  });
});
