import fc from "fast-check";
import { expect, test } from "vitest";
import { buckets, split, sum } from "./buckets";

const amounts = fc.integer({ min: 0, max: 200_000 });
const left = fc.record({ svip: amounts, vip: amounts, pack: amounts });

test("split takes the required characters from the buckets in order", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 600_000 }), left, (need, has) => {
      const taken = split(need, has);
      if (!taken) {
        expect(sum(has)).toBeLessThan(need);
        return;
      }
      expect(sum(taken)).toBe(need);
      for (const [index, bucket] of buckets.entries()) {
        expect(taken[bucket]).toBeGreaterThanOrEqual(0);
        expect(taken[bucket]).toBeLessThanOrEqual(has[bucket]);
        if (taken[bucket] > 0) for (const earlier of buckets.slice(0, index)) expect(taken[earlier]).toBe(has[earlier]);
      }
    }),
    { numRuns: 2000 },
  );
});

test("splitting keeps the sum of the buckets in any history", () => {
  const step = fc.oneof(
    fc.record({ take: fc.integer({ min: 1, max: 90_000 }) }),
    fc.record({ end: fc.nat(), isUsed: fc.boolean() }),
  );
  fc.assert(
    fc.property(left, fc.array(step, { maxLength: 40 }), (total, steps) => {
      const has = { ...total };
      const used = { svip: 0, vip: 0, pack: 0 };
      const held: Array<NonNullable<ReturnType<typeof split>>> = [];
      for (const one of steps) {
        if ("take" in one) {
          const taken = split(one.take, has);
          if (taken) held.push(taken);
          for (const bucket of buckets) has[bucket] -= taken?.[bucket] ?? 0;
        } else {
          const [ended] = held.splice(one.end % Math.max(1, held.length), 1);
          for (const bucket of buckets) (one.isUsed ? used : has)[bucket] += ended?.[bucket] ?? 0;
        }
        for (const bucket of buckets) {
          const reserved = held.reduce((all, parts) => all + parts[bucket], 0);
          expect(has[bucket]).toBeGreaterThanOrEqual(0);
          expect(has[bucket] + reserved + used[bucket]).toBe(total[bucket]);
        }
      }
    }),
    { numRuns: 1000 },
  );
});
