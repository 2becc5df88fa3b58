import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CallData } from "~server/contract/calls/table";
import { deleteAccount, logIn, type Member } from "../support/account";
import { ruleEngines } from "../support/database";
import { createMember } from "../support/member";
import { waitForRateWindow } from "../support/rate-window";
import { createVisitor, openTestUpstream, type TestUpstream, type Visitor } from "../support/upstream";

describe.each(ruleEngines)("the script calls on %s", (engine) => {
  let upstream: TestUpstream;
  let member: Member;
  beforeAll(async () => {
    upstream = await openTestUpstream(engine);
    member = await logIn(upstream.services);
  });
  afterAll(() => upstream.close());

  const visitor = () => createVisitor(upstream.services);
  const readings = (caller: Visitor, content: string) =>
    caller.post<CallData<"readings">>("/script/readings", { content });
  const put = (caller: Visitor, word: string, pinyin: string) =>
    caller.post<CallData<"dictionary">>("/script/dictionary/put", { word, pinyin });
  const sample = (caller: Visitor, body: object) => caller.post<CallData<"sample">>("/script/sample", body);
  const readingOf = async (caller: Visitor, content: string, char: string) =>
    (await readings(caller, content)).data.list.find((found) => found.char === char);

  it("returns to visitors the characters with more than one reading", async () => {
    const found = await readingOf(visitor(), "他去银行。", "行");
    expect(found).toMatchObject({ offset: 3, char: "行", reading: "hang2" });
    expect(found?.candidates).toEqual(expect.arrayContaining(["hang2", "xing2"]));
    expect(found?.examples).toHaveLength(found?.candidates.length ?? -1);
    expect(found?.examples[0]).toContain("银行");
  });

  it("refuses custom readings of visitors and unlimited texts", async () => {
    const anonymous = await visitor().post("/script/readings", { content: "行" }, { "x-visitor-id": "" });
    expect(anonymous).toMatchObject({ status: 400, code: 7, msg: "bad-request" });
    expect(await readings(visitor(), "字".repeat(20_001))).toMatchObject({ status: 400, code: 7 });
  });

  it("limits a text to the length of the caller's tier", async () => {
    const tooLong = { status: 200, code: 7, msg: "text-too-long" };
    const callers: Array<[Visitor, number]> = [
      [visitor(), 100],
      [await createMember(upstream), 100],
      [await createMember(upstream, "vip"), 500],
      [await createMember(upstream, "svip"), 1500],
    ];
    for (const [caller, limit] of callers) {
      expect((await readings(caller, "行(xing2) ".repeat(limit))).code).toBe(0);
      expect(await readings(caller, "行".repeat(limit + 1))).toMatchObject({ ...tooLong, data: { limit } });
      expect(await readings(caller, ` ${"#0.1#".repeat(2 * limit)}行`)).toMatchObject(tooLong);
    }
  });

  it("applies the account's own dictionary and no other", async () => {
    const owner = await logIn(upstream.services);
    expect((await put(owner, "银行", "yin2 xing2")).data.list).toEqual([{ word: "银行", pinyin: "yin2 xing2" }]);
    expect((await readingOf(owner, "他去银行。", "行"))?.reading).toBe("xing2");
    expect((await readingOf(member, "他去银行。", "行"))?.reading).toBe("hang2");
    await put(owner, "银行", "YIN2  Hang2");
    expect((await owner.get<CallData<"dictionary">>("/script/dictionary")).data.list).toEqual([
      { word: "银行", pinyin: "yin2 hang2" },
    ]);
    for (let i = 0; i < 2; i++) {
      const removed = await owner.post<CallData<"dictionary">>("/script/dictionary/del", { word: "银行" });
      expect(removed).toMatchObject({ code: 0, data: { list: [] } });
    }
  });

  it.each([
    ["行", "xing"],
    ["行", "xing6"],
    ["行", "xxing2"],
    ["行长", "hang2"],
    ["行", "hang2 zhang3"],
    ["#0.5#", "hang2"],
    ["行(", "hang2"],
    ["，", "hang2"],
  ])("refuses %s with the reading %s", async (word, pinyin) => {
    expect(await put(member, word, pinyin)).toMatchObject({ code: 7, msg: "bad-request" });
    expect((await member.get("/script/dictionary")).data.list).toEqual([]);
  });

  it("accepts a Latin word with as many syllables as its reading has", async () => {
    const owner = await logIn(upstream.services);
    expect((await put(owner, "GPU", "ji4 pi4 you1")).data.list).toEqual([{ word: "GPU", pinyin: "ji4 pi4 you1" }]);
  });

  it("stores at most five hundred words", async () => {
    const owner = await logIn(upstream.services);
    await put(owner, "甲", "jia3");
    await sql`insert into dictionary_word (account_id, word, pinyin)
      select account_id, 'w' || n, 'jia3' from dictionary_word, generate_series(1, 499) n where word = '甲'
        and account_id = (select account_id from dictionary_word order by created_at desc limit 1)`.execute(
      upstream.database(),
    );
    expect(await put(owner, "乙", "yi3")).toMatchObject({ code: 7, msg: "bad-request", data: { limit: 500 } });
    expect((await put(owner, "甲", "jia4")).code).toBe(0);
  });

  it("lets a member listen to a few characters without a download", async () => {
    const before = await member.get("/users/ledger");
    const { code, data } = await sample(member, { content: "去银行(xing2)" });
    expect(code).toBe(0);
    expect(data.duration).toBeGreaterThan(0.1);
    const heard = await member.file(data.voiceUrl);
    expect(heard.status).toBe(200);
    expect(Buffer.from(await heard.arrayBuffer()).includes(Buffer.from("AIGC"))).toBe(true);
    expect(await member.statusOf(`${data.voiceUrl}?download=1`)).toBe(404);
    expect(await visitor().statusOf(data.voiceUrl)).toBe(404);
    expect((await member.get("/users/ledger")).data).toEqual(before.data);
  });

  it("speaks a sample with a feeling to every account, and refuses weights above 1", async () => {
    const owner = await logIn(upstream.services);
    const countSynthesised = async (body: object) => {
      const before = upstream.speech.calls.synthesize;
      expect(await sample(owner, { content: "今天真热闹", ...body })).toMatchObject({ code: 0 });
      return upstream.speech.calls.synthesize - before;
    };
    expect(await countSynthesised({})).toBe(1);
    expect(await countSynthesised({})).toBe(0);
    expect(await countSynthesised({ genre: 2, ext: { happy: 0.7 } })).toBe(1);
    expect(await countSynthesised({ genre: 0, ext: { happy: 0.7 } })).toBe(0);
    expect(await countSynthesised({ pitch: 2, speed: 1.2 })).toBe(1);
    const loud = { content: "今天真热闹", genre: 2, ext: { happy: 2 } };
    expect(await sample(owner, loud)).toMatchObject({ code: 7, msg: "bad-request" });
  });

  it("refuses samples of long or empty text, without a login and without a voice of the caller", async () => {
    expect(await sample(visitor(), { content: "你好" })).toMatchObject({ code: 5, msg: "login-expired" });
    const refused: Array<[object, string]> = [
      [{ content: "字".repeat(31) }, "text-too-long"],
      [{ content: `你好${"#10#".repeat(7)}` }, "pauses-too-long"],
      [{ content: "#1#" }, "text-empty"],
      [{ content: "。" }, "text-empty"],
      [{ content: "你好", roleId: "unknown" }, "voice-missing"],
    ];
    for (const [body, msg] of refused) expect(await sample(member, body)).toMatchObject({ status: 200, code: 7, msg });
  });

  it("reports a failed sample", async () => {
    upstream.speech.faults.segments = 1000;
    try {
      expect(await sample(member, { content: "说不出来" })).toMatchObject({ code: 7, msg: "synthesis-failed" });
    } finally {
      upstream.speech.faults.segments = 0;
    }
  });

  it("limits the samples per account", async () => {
    const owner = await logIn(upstream.services);
    const answers = [];
    await waitForRateWindow(600);
    for (let i = 0; i < 41; i++) answers.push(await sample(owner, { content: "你好" }));
    expect(answers.slice(0, 40).every(({ code }) => code === 0)).toBe(true);
    expect(answers[40]).toMatchObject({ status: 429, msg: "too-many" });
  });

  it("deletes samples after a day and words with their account", async () => {
    const owner = await logIn(upstream.services);
    const { data } = await sample(owner, { content: "你好" });
    await put(owner, "行", "xing2");
    await sql`update script_sample set expires_at = now() - interval '1 minute'`.execute(upstream.database());
    upstream.services.startWorker();
    await expect.poll(() => owner.statusOf(data.voiceUrl), { timeout: 150_000 }).toBe(404);
    await deleteAccount(upstream, owner);
    const { rows } = await sql`select 1 from dictionary_word where word = '行'`.execute(upstream.database());
    expect(rows).toEqual([]);
  });
});
