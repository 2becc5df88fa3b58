import { expect, test } from "vitest";
import type { Dub } from "~server/bff/generations.server";
import { type RecordsState, toRecords, withDub } from "./use-records";

const dub = (dubbId: string, minute: number, more: Partial<Dub> = {}) =>
  ({ dubbId, createdAt: `2026-11-21T10:0${minute}:00+08:00`, ...more }) as Dub;
const read = (list: Dub[], total: number): RecordsState => ({
  phase: "ready",
  list,
  total,
  refusal: null,
  more: "idle",
});
const idsOf = ({ list, total }: RecordsState) => [list.map(({ dubbId }) => dubbId).join(""), total];

test("withDub puts a new dub first and replaces a changed one in place", () => {
  const state = read([dub("b", 5), dub("a", 4)], 2);
  expect(idsOf(withDub(state, dub("c", 6), false))).toEqual(["cba", 3]);
  const moved = withDub(state, dub("a", 4, { status: 2 }), false);
  expect(idsOf(moved)).toEqual(["ba", 2]);
  expect(moved.list[1]?.status).toBe(2);
});

test("withDub leaves out a dub of a page that was not read", () => {
  const state = read([dub("d", 7), dub("c", 6)], 4);
  expect(withDub(state, dub("a", 1), false)).toBe(state);
  expect(idsOf(withDub(state, dub("e", 8), false))).toEqual(["edc", 5]);
});

test("withDub leaves out a new dub during a search", () => {
  const state = read([], 0);
  expect(withDub(state, dub("a", 1), true)).toBe(state);
});

test("toRecords puts the versions of a dub into one record, at the place of the newest", () => {
  const list = [dub("d", 7, { versionOf: "a" }), dub("c", 6, { versionOf: "c" }), dub("b", 5), dub("a", 4)];
  const records = toRecords(list).map(({ id, dub, earlier }) => [id, dub.dubbId, earlier.map(({ dubbId }) => dubbId)]);
  expect(records).toEqual([
    ["a", "d", ["a"]],
    ["c", "c", []],
    ["b", "b", []],
  ]);
});
