import fc from "fast-check";
import { expect, test } from "vitest";
import { type HeldBucket, split } from "./buckets";

const held = (left: number, index: number): HeldBucket => ({
  ...{ bucket: "pack", period: String(index), total: left, used: 0, left, startsAt: 0, endsAt: index },
});
const lefts = fc.array(fc.integer({ min: 0, max: 200_000 }), { maxLength: 6 }).map((all) => all.map(held));

test("split takes the required characters from the buckets in order", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 600_000 }), lefts, (need, buckets) => {
      const taken = split(need, buckets);
      const left = buckets.reduce((sum, one) => sum + one.left, 0);
      if (!taken) {
        expect(left).toBeLessThan(need);
        return;
      }
      expect(taken.reduce((sum, { characters }) => sum + characters, 0)).toBe(need);
      const last = taken.at(-1)?.period;
      for (const { period, left } of buckets) {
        const share = taken.find((one) => one.period === period)?.characters ?? 0;
        expect(share).toBeLessThanOrEqual(left);
        if (last !== undefined && Number(period) < Number(last)) expect(share).toBe(left);
      }
    }),
    { numRuns: 2000 },
  );
});
