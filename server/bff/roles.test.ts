import { expect, test } from "vitest";
import { readUsableVoices, readVoices } from "./roles.server";
import type { Upstream } from "./upstream.server";

const own = [{ roleId: "mine", name: "Mine", status: 2 }];
const square = [...Array(150)].map((_, i) => ({ roleId: `s${i}`, name: `Public ${i}` }));

/** An upstream that knows the pages of the lists and, as ours does, one role alone. */
const upstream = {
  async readCapabilities() {
    return { missing: [] };
  },
  async call(name: string, { page = 1, pageSize = 20, roleId = "" }) {
    const all = { roleList: own, squareList: square }[name] ?? [];
    const wanted = all.filter((role) => !roleId || role.roleId === roleId);
    return { list: wanted.slice((page - 1) * pageSize, page * pageSize), total: wanted.length };
  },
} as unknown as Upstream;

const idsOf = ({ voices }: { voices: { roleId: string }[] }) => voices.map(({ roleId }) => roleId);

test("the chosen voice stands first in the list that has it, and in no other", async () => {
  const query = new URLSearchParams({ page: "1", chosen: "s149" });
  const shown = await readVoices(upstream, "squareList", query);
  expect(idsOf(shown).slice(0, 2)).toEqual(["s149", "s0"]);
  expect(shown.total).toBe(150);
  expect(idsOf(await readVoices(upstream, "roleList", query))).toEqual(["mine"]);
  const listed = await readVoices(upstream, "squareList", new URLSearchParams({ chosen: "s3" }));
  expect(idsOf(listed).slice(0, 3)).toEqual(["s3", "s0", "s1"]);
  expect(listed.voices).toHaveLength(20);
  expect(idsOf(await readVoices(upstream, "squareList", new URLSearchParams({ page: "2", chosen: "s3" })))[0]).toBe(
    "s20",
  );
});

test("voices that were deleted or withdrawn are not usable, and own ones only with an account", async () => {
  const query = new URLSearchParams(["mine", "deleted", "s140"].map((id) => ["id", id]));
  expect(idsOf(await readUsableVoices(upstream, query, true))).toEqual(["mine", "s140"]);
  expect(idsOf(await readUsableVoices(upstream, query, false))).toEqual(["s140"]);
  let calls = 0;
  const foreign = {
    readCapabilities: async () => ({ missing: ["dubExport"] }),
    call: async () => void calls++,
  } as unknown as Upstream;
  await expect(readUsableVoices(foreign, query, true)).rejects.toThrow();
  expect(calls).toBe(0);
});
