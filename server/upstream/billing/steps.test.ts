import fc from "fast-check";
import { expect, test } from "vitest";
import { monthlyCharacters } from "../../contract/limits";
import type { Grant, GrantChange, Tier } from "./replay";
import { stepSeconds } from "./replay";
import { toSteps } from "./steps";

const day = 86_400;
const january30 = Date.UTC(2026, 0, 30) / 1000;
const grant = (id: string, tier: Tier, days: number, atDay: number): Grant => ({
  ...{ id, tier, seconds: days * day, monthly: false, at: january30 + atDay * day },
});
const inDays = (rows: ReadonlyArray<Grant | GrantChange>) =>
  toSteps(rows).map(({ period, characters, startsAt, endsAt }) => [
    period,
    characters,
    (startsAt - january30) / day,
    (endsAt - january30) / day,
  ]);

test("30 days bought on 30 January are one step, whatever months they touch", () => {
  expect(inDays([grant("a", "svip", 30, 0)])).toEqual([["a/0", 100_000, 0, 30]]);
});

test("a renewal begins its own step when the days before it are over", () => {
  expect(inDays([grant("a", "vip", 30, 0), grant("b", "vip", 30, 10)])).toEqual([
    ["a/0", 50_000, 0, 30],
    ["b/0", 50_000, 30, 60],
  ]);
});

test("a step waits while the professional tier runs, and goes on after it", () => {
  expect(inDays([grant("a", "vip", 40, 0), grant("b", "svip", 30, 10)])).toEqual([
    ["a/0", 50_000, 0, 60],
    ["b/0", 100_000, 10, 40],
    ["a/1", 16_666, 60, 70],
  ]);
});

const purchases = fc.array(
  fc.record({
    tier: fc.constantFrom("vip" as const, "svip" as const),
    days: fc.integer({ min: 1, max: 400 }),
    atDay: fc.integer({ min: 0, max: 700 }),
  }),
  { minLength: 1, maxLength: 8 },
);
const charactersOf = (rows: ReadonlyArray<Grant | GrantChange>, id: string) =>
  toSteps(rows).reduce((sum, one) => sum + (one.period.startsWith(`${id}/`) ? one.characters : 0), 0);

test("every purchase gives exactly the characters of its days, in any order of buying", () => {
  fc.assert(
    fc.property(purchases, (bought) => {
      const rows = bought
        .map(({ tier, days, atDay }, index) => grant(String(index), tier, days, atDay))
        .sort((a, b) => a.at - b.at);
      for (const { id, tier, seconds } of rows) {
        expect(charactersOf(rows, id)).toBe(Math.floor((monthlyCharacters[tier] * seconds) / stepSeconds));
      }
    }),
    { numRuns: 500 },
  );
});

test("steps of a tier follow each other without a gap or an overlap of their running time", () => {
  fc.assert(
    fc.property(purchases, (bought) => {
      const rows = bought
        .map(({ tier, days, atDay }, index) => grant(String(index), tier, days, atDay))
        .sort((a, b) => a.at - b.at);
      const steps = toSteps(rows);
      for (const tier of ["vip", "svip"] as const) {
        const own = steps.filter((step) => step.tier === tier);
        for (const [index, step] of own.entries()) {
          expect(step.endsAt).toBeGreaterThan(step.startsAt);
          if (index > 0) expect(step.startsAt).toBeGreaterThanOrEqual(own[index - 1]?.endsAt ?? 0);
        }
        const own30 = own.filter(({ startsAt, endsAt }) => tier === "svip" && endsAt - startsAt > stepSeconds);
        expect(own30).toEqual([]);
      }
    }),
    { numRuns: 500 },
  );
});

test("a refund ends the steps of its own purchase alone", () => {
  fc.assert(
    fc.property(purchases, fc.nat(), fc.nat({ max: 500 }), (bought, pick, wait) => {
      const rows = bought
        .map(({ tier, days, atDay }, index) => grant(String(index), tier, days, atDay))
        .sort((a, b) => a.at - b.at);
      const refunded = rows[pick % rows.length] as Grant;
      const at = (rows.at(-1) as Grant).at + wait * day;
      const after = [...rows, { changes: refunded.id, seconds: -refunded.seconds, at }];
      for (const { id } of rows) {
        if (id === refunded.id) expect(charactersOf(after, id)).toBeLessThanOrEqual(charactersOf(rows, id));
        else expect(charactersOf(after, id)).toBe(charactersOf(rows, id));
      }
      const cancelled = [...after, { changes: refunded.id, seconds: refunded.seconds, at }];
      expect(toSteps(cancelled)).toEqual(toSteps(rows));
    }),
    { numRuns: 300 },
  );
});
