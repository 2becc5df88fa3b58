import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Expiry, type Grant, remaining, shareOf, stack, tierAt, toMembership } from "./membership";

const day = 86_400;
const start = 1_800_000_000;
const grant = (tier: Grant["tier"], days: number, atDay: number, monthly = false): Grant => ({
  tier,
  seconds: days * day,
  monthly,
  at: start + atDay * day,
});
const expiryDays = (grants: Grant[]) => {
  const { vipExpire, svipExpire } = toMembership(grants, start);
  return { vip: (vipExpire - start) / day, svip: (svipExpire - start) / day };
};

/** Purchases over some years, as they come: in order of time. */
const histories = fc
  .array(
    fc.record({
      tier: fc.constantFrom("vip" as const, "svip" as const),
      seconds: fc.integer({ min: 1, max: 400 * day }),
      monthly: fc.boolean(),
      wait: fc.integer({ min: 0, max: 200 * day }),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((steps) => {
    let at = start;
    return steps.map(({ wait, ...step }): Grant => {
      at += wait;
      return { ...step, at };
    });
  });
const total = ({ vip, svip }: Record<Grant["tier"], number>) => vip + svip;
const runs = { numRuns: 1000 };

describe("stacking", () => {
  test.each([
    ["normal time alone", [grant("vip", 30, 0)], { vip: 30, svip: -start / day }],
    ["normal time on top", [grant("vip", 30, 0), grant("vip", 30, 10)], { vip: 60, svip: -start / day }],
    ["professional pushes normal back", [grant("vip", 30, 0), grant("svip", 30, 10)], { svip: 40, vip: 60 }],
    ["normal waits for professional", [grant("svip", 30, 0), grant("vip", 30, 10)], { svip: 30, vip: 60 }],
    ["professional on both", [grant("svip", 30, 0), grant("vip", 30, 0), grant("svip", 30, 5)], { svip: 60, vip: 90 }],
    ["nothing to push after expiry", [grant("vip", 30, 0), grant("svip", 30, 40)], { svip: 70, vip: 30 }],
  ])("%s", (_name, grants, expected) => {
    expect(expiryDays(grants)).toEqual(expected);
  });

  test("adds exactly what was bought and shortens nothing", () => {
    fc.assert(
      fc.property(histories, (grants) => {
        let expiry: Expiry = { vip: 0, svip: 0 };
        for (const one of grants) {
          const before = remaining(expiry, one.at);
          expiry = stack(expiry, one);
          const after = remaining(expiry, one.at);
          expect(after[one.tier]).toBe(before[one.tier] + one.seconds);
          expect(total(after)).toBe(total(before) + one.seconds);
        }
      }),
      runs,
    );
  });

  test("normal time never runs out before professional time while there is any", () => {
    fc.assert(
      fc.property(histories, (grants) => {
        const last = grants.at(-1)?.at ?? start;
        const { vipExpire, svipExpire } = toMembership(grants, last);
        if (vipExpire > last) expect(vipExpire).not.toBe(svipExpire);
        expect(tierAt({ vipExpire, svipExpire, isMonthly: false }, last)).toBe(svipExpire > last ? "svip" : "vip");
      }),
      runs,
    );
  });
});

describe("refunds", () => {
  test("of a whole grant leave what would be without it, whatever happened since", () => {
    fc.assert(
      fc.property(histories, fc.nat(), (grants, pick) => {
        const index = pick % grants.length;
        const refunded = grants.map((one, i) => (i === index ? { ...one, seconds: 0 } : one));
        const without = grants.filter((_, i) => i !== index);
        const now = grants.at(-1)?.at ?? start;
        expect(toMembership(refunded, now)).toEqual(toMembership(without, now));
      }),
      runs,
    );
  });

  test("of the newest grant are the exact inverse of buying it", () => {
    fc.assert(
      fc.property(histories, (grants) => {
        const earlier = grants.slice(0, -1);
        const before = toMembership(earlier, start);
        const undone = toMembership([...earlier, { ...(grants.at(-1) as Grant), seconds: 0 }], start);
        expect(undone).toEqual(before);
      }),
      runs,
    );
  });

  test("in parts come to the same as at once, and never to more than there was", () => {
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

describe("monthly", () => {
  test("comes from the newest grant that still runs", () => {
    const grants = [grant("vip", 365, 0), grant("svip", 30, 10, true)];
    expect(toMembership(grants, start + 20 * day).isMonthly).toBe(true);
    expect(toMembership(grants, start + 41 * day).isMonthly).toBe(false);
  });

  test("is false without an active grant", () => {
    expect(toMembership([grant("vip", 30, 0, true)], start + 31 * day).isMonthly).toBe(false);
    expect(toMembership([], start).isMonthly).toBe(false);
  });
});
