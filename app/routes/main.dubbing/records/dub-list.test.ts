import { expect, test } from "vitest";
import type { Dub } from "~server/bff/generations.server";
import { type Records, withDub } from "./dub-list";

const dub = (dubbId: string, minute: number, more: Partial<Dub> = {}) =>
  ({ dubbId, createdAt: `2026-11-21T10:0${minute}:00+08:00`, ...more }) as Dub;
const read = (list: Dub[], total: number): Records => ({ phase: "ready", list, total, refusal: null, more: "idle" });
const idsOf = ({ list, total }: Records) => [list.map(({ dubbId }) => dubbId).join(""), total];

test("a new dub stands first, one that moved on stays where it is", () => {
  const records = read([dub("b", 5), dub("a", 4)], 2);
  expect(idsOf(withDub(records, dub("c", 6), false))).toEqual(["cba", 3]);
  const moved = withDub(records, dub("a", 4, { status: 2 }), false);
  expect(idsOf(moved)).toEqual(["ba", 2]);
  expect(moved.list[1]?.status).toBe(2);
});

test("one that lies on a page that was not read yet is not counted twice", () => {
  const records = read([dub("d", 7), dub("c", 6)], 4);
  expect(withDub(records, dub("a", 1), false)).toBe(records);
  expect(idsOf(withDub(records, dub("e", 8), false))).toEqual(["edc", 5]);
});

test("a search shows what it found", () => {
  const records = read([], 0);
  expect(withDub(records, dub("a", 1), true)).toBe(records);
});
