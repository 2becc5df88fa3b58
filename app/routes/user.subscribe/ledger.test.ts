import { expect, test } from "vitest";
import type { LedgerEntry } from "~server/contract/calls/users";
import { toMovements } from "./ledger";

type Written = [kind: LedgerEntry["kind"], ref: string, change?: Partial<LedgerEntry>];

/** Ledger rows are written oldest first and read newest first. */
const read = (...written: Written[]) =>
  toMovements(
    written
      .map(([kind, ref, change], index): LedgerEntry => {
        const createdAt = `2026-11-21T09:${String(index).padStart(2, "0")}:00+08:00`;
        return {
          entryId: String(index),
          kind,
          ref,
          subject: "",
          endsAt: "",
          bucket: "",
          characters: 0,
          amountFen: 0,
          createdAt,
          ...change,
        };
      })
      .reverse(),
  );
const vip = (characters = 0) => ({ bucket: "vip", characters });
const pack = (characters = 0) => ({ bucket: "pack", characters });

test("a generation is shown as one movement: reserved, then charged", () => {
  const held = read(["grant", "2026-11", vip(50_000)], ["reserve", "task", vip(-36)]);
  expect(held).toMatchObject([
    { kind: "held", parts: [{ bucket: "vip", characters: 36 }] },
    { kind: "granted", month: "2026-11", parts: [{ bucket: "vip", characters: 50_000 }] },
  ]);
  const used = read(["reserve", "task", vip(-36)], ["settle", "task", vip()]);
  expect(used).toEqual([
    expect.objectContaining({ kind: "used", entryId: "1", parts: [{ bucket: "vip", characters: 36 }] }),
  ]);
});

test("a failed generation returns its characters, and its retry is a separate movement", () => {
  const again = read(
    ["reserve", "task", vip(-36)],
    ["release", "task", vip(36)],
    ["reserve", "task", vip(-36)],
    ["settle", "task", vip()],
  );
  expect(again.map(({ kind, parts }) => [kind, parts[0]?.characters])).toEqual([
    ["used", 36],
    ["returned", 36],
  ]);
});

test("a generation from two buckets is one movement with the latest end first", () => {
  const two = read(
    ["reserve", "a", vip(-30)],
    ["reserve", "a", pack(-6)],
    ["reserve", "b", pack(-9)],
    ["settle", "a", vip()],
    ["settle", "a", pack()],
  );
  expect(two).toMatchObject([
    {
      kind: "used",
      parts: [
        { bucket: "vip", characters: 30 },
        { bucket: "pack", characters: 6 },
      ],
    },
    { kind: "held", parts: [{ bucket: "pack", characters: 9 }] },
  ]);
});

test("a payment shows its product; a duplicate payment is shown as refunded", () => {
  const paid = read(
    ["payment", "order", { amountFen: 2900 }],
    ["grant", "order", pack(60_000)],
    ["payment", "order", { amountFen: 2900 }],
    ["refund", "order", { amountFen: -2900 }],
  );
  expect(paid).toMatchObject([
    { kind: "repaid", amountFen: 2900, parts: [] },
    { kind: "paid", amountFen: 2900, isGranted: false },
    { kind: "paid", amountFen: 2900, isGranted: true, parts: [{ bucket: "pack", characters: 60_000 }] },
  ]);
});

test("a refund of a pack is one movement, and a granted tier shows no characters", () => {
  const repaid = read(
    ["grant", "order", { bucket: "svip" }],
    ["refund", "other", pack(-60_000)],
    ["refund", "other", { amountFen: -2900 }],
  );
  expect(repaid).toMatchObject([
    { kind: "repaid", amountFen: 2900, parts: [{ bucket: "pack", characters: 60_000 }] },
    { kind: "granted", parts: [{ bucket: "svip", characters: 0 }] },
  ]);
});

test("a settlement without its reservation shows no amount", () => {
  expect(read(["settle", "task", vip()])).toMatchObject([{ kind: "used", parts: [{ bucket: "vip", characters: 0 }] }]);
});

test("a cancelled refund shows the pack as granted again", () => {
  const restored = read(["refund", "order", pack(-60_000)], ["release", "order", pack(60_000)]);
  expect(restored).toMatchObject([{ kind: "granted", parts: [{ bucket: "pack", characters: 60_000 }] }]);
});

test("granted characters show their end, of a step and of a bought pack", () => {
  const endsAt = "2026-12-28T09:00:00+08:00";
  expect(
    read(
      ["grant", "7/0", { ...vip(50_000), endsAt }],
      ["payment", "order", { amountFen: 2900 }],
      ["grant", "order", { ...pack(60_000), endsAt }],
    ),
  ).toMatchObject([
    { kind: "paid", isGranted: true, endsAt },
    { kind: "granted", isStep: true, endsAt },
  ]);
});
