import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { charactersLeft, createClone, waitForClone } from "../support/clone";
import { createDub, waitForDub } from "../support/dub";
import { createFaultySpeech, type SpeechSlip } from "../support/faulty-engine";
import { createMember, type TieredMember } from "../support/member";
import { firstRoleId } from "../support/trial";
import { openTestUpstream, type TestUpstream } from "../support/upstream";

describe("the self-check of speech", () => {
  const speech = createFaultySpeech();
  let upstream: TestUpstream;
  let member: TieredMember;
  let roleId: string;
  beforeAll(async () => {
    upstream = await openTestUpstream("embedded", { speech });
    upstream.services.startWorker();
    member = await createMember(upstream, "svip");
    roleId = await firstRoleId(member);
  });
  afterAll(() => upstream.close());

  let place = 0;
  /** A new text each time: equal segments are cached. */
  async function speak(slips: Array<SpeechSlip | "none">) {
    const content = `第${"一二三四五六七八九十"[place++]}次我们去公园散步`;
    const [before, spoken] = [await charactersLeft(member), speech.calls.synthesize];
    speech.slips.splice(0, speech.slips.length, ...slips);
    const { data } = await createClone(member, { content, roleId });
    const clone = await waitForClone(member, data.taskId);
    expect(clone.status).toBe(2);
    const paid = before - (await charactersLeft(member));
    return { clone, content, paid, times: speech.calls.synthesize - spoken };
  }

  it("leaves right speech as it is", async () => {
    const { clone, content, paid, times } = await speak([]);
    expect([times, paid, clone.doubts]).toEqual([1, content.length, undefined]);
  });

  it.each(["missing", "added", "wrong"] as const)(
    "speaks a segment with a %s syllable again, at no charge",
    async (kind) => {
      const { clone, content, paid, times } = await speak([kind]);
      expect([times, paid, clone.doubts]).toEqual([2, content.length, undefined]);
    },
  );

  it("repeats twice at most, marks the remaining errors, and charges once", async () => {
    const { clone, content, paid, times } = await speak(["wrong", "missing", "wrong"]);
    expect([times, paid]).toEqual([3, content.length]);
    const [doubt] = clone.doubts ?? [];
    expect(clone.doubts).toHaveLength(1);
    expect(content.slice(doubt?.offset, (doubt?.offset ?? 0) + 1)).toBe(doubt?.text);
    const ledger = await member.get<{ list: Array<{ amount: number }> }>("/users/ledger?page=1&pageSize=100");
    expect(ledger.code).toBe(0);
  });

  it("marks the words of a line of a dub", async () => {
    speech.slips.splice(0, speech.slips.length, "none", "wrong", "wrong", "wrong");
    const lines = ["早上好我的朋友", "晚上好我的朋友"].map((content) => ({ roleId, content }));
    const { data } = await createDub(member, { lines });
    const dub = await waitForDub(member, data.taskId);
    expect(dub.lines.map((line) => line.doubts?.length ?? 0)).toEqual([0, 1]);
  });
});
