import OpenAI, { APIError } from "openai";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CallData } from "~server/contract/calls/table";
import { decodeRecording } from "~server/speech/recording/decode";
import { readLabels } from "~server/upstream/media/label/label";
import { deleteAccount } from "../support/account";
import { charactersLeft, listClones } from "../support/clone";
import { ruleEngines } from "../support/database";
import { createMember, type TieredMember } from "../support/member";
import { readZip } from "../support/read-zip";
import { createRole, waitForRole } from "../support/role";
import { createTalkingSpeech } from "../support/talking-speech";
import { firstRoleId } from "../support/trial";
import { createVisitor, openTestUpstream, type TestUpstream } from "../support/upstream";
import { closeWebApps, startWebApp } from "../support/web-app";

const twoSentences = `${"今天天气很好我们一起出去走走吧".repeat(4)}。${"明天再见".repeat(12)}。`;

describe.each(ruleEngines)("OpenAI's interface on %s", (engine) => {
  let upstream: TestUpstream;
  let member: TieredMember;
  let address: string;
  beforeAll(async () => {
    upstream = await openTestUpstream(engine);
    upstream.services.startWorker();
    member = await createMember(upstream, "svip");
    address = (await startWebApp({ api: (request) => upstream.services.fetch(request) })).url;
  });
  afterAll(async () => {
    closeWebApps();
    await upstream.close();
  });

  const createKey = async (who = member, monthLimit?: number) =>
    (await who.post<CallData<"keyCreate">>("/users/keys", { name: "脚本", monthLimit })).data;
  const clientOf = (apiKey: string) => new OpenAI({ apiKey, baseURL: `${address}/api/v1`, maxRetries: 0 });
  const client = async (who = member, monthLimit?: number) => clientOf((await createKey(who, monthLimit)).secret);
  const speech = async (who = member) => ({ model: "tts-1", voice: await firstRoleId(who), input: "你好，世界。" });
  const errorOf = async (act: Promise<unknown>) => {
    const error = await act.then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(APIError);
    return error as APIError & { error: Record<string, unknown> };
  };

  it("speaks for the key's account, marked and charged as a generation", async () => {
    const left = await charactersLeft(member);
    const { data, response } = await (await client()).audio.speech.create(await speech()).withResponse();
    const bytes = new Uint8Array(await data.arrayBuffer());
    expect(response.headers.get("content-type")).toBe("audio/mpeg");
    expect(Number(response.headers.get("x-ratelimit-remaining-requests"))).toBeLessThan(
      Number(response.headers.get("x-ratelimit-limit-requests")),
    );
    expect(await readLabels(bytes)).toEqual([expect.objectContaining({ Label: "1" })]);
    expect(await charactersLeft(member)).toBe(left - 6);
    expect((await listClones(member)).list[0]).toMatchObject({ content: "你好，世界。", status: 2, costChar: 6 });
  });

  it("refuses a banned account's key", async () => {
    const banned = await createMember(upstream);
    const ai = await client(banned);
    const request = await speech(banned);
    const { id } = await upstream
      .database()
      .selectFrom("api_key")
      .select("account_id as id")
      .orderBy("created_at", "desc")
      .executeTakeFirstOrThrow();
    await upstream.database().updateTable("account").set({ banned_at: new Date() }).where("id", "=", id).execute();
    expect(await errorOf(ai.audio.speech.create(request))).toMatchObject({ status: 403 });
  });

  it.each(["mp3", "wav"] as const)(
    "streams %s: first bytes while the rest is made, then the audible mark",
    async (format) => {
      const ai = await client();
      const roleId = await firstRoleId(member);
      const release = upstream.speech.hold({ after: 1 });
      const input = format === "mp3" ? twoSentences : `再${twoSentences}`;
      const answer = await ai.audio.speech.create({ model: "tts-1", voice: roleId, input, response_format: format });
      const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
      const first = await reader.read();
      expect(await readLabels(first.value ?? new Uint8Array())).toHaveLength(1);
      expect((await listClones(member)).list[0]).toMatchObject({ status: 1, segDone: 1 });
      release();
      const parts = [first.value ?? new Uint8Array()];
      for (let next = await reader.read(); !next.done; next = await reader.read()) parts.push(next.value);
      const whole = Buffer.concat(parts);
      const { list } = await listClones(member);
      expect(list[0]).toMatchObject({ status: 2, segTotal: 2 });
      const download = list[0]?.downloads.find((one) => one.format === format)?.url ?? "";
      const secondsOf = async (bytes: Uint8Array) => {
        const { samples, sampleRate } = await decodeRecording(bytes);
        return samples.length / sampleRate;
      };
      const stored = new Uint8Array(await (await member.file(download)).arrayBuffer());
      // Each of the three parts has its encoder's padding.
      expect(Math.abs((await secondsOf(whole)) - (await secondsOf(stored)))).toBeLessThan(0.6);
      expect(await readLabels(whole)).toHaveLength(1);
    },
  );

  it("answers FLAC as the finished download, and a repeated key with the first speech", async () => {
    const ai = await client();
    const wanted = { ...(await speech()), input: "再说一遍。", response_format: "flac" as const };
    const options = { headers: { "idempotency-key": "once-for-all" } };
    const left = await charactersLeft(member);
    const one = Buffer.from(await (await ai.audio.speech.create(wanted, options)).arrayBuffer());
    const other = Buffer.from(await (await ai.audio.speech.create(wanted, options)).arrayBuffer());
    expect(other.equals(one)).toBe(true);
    expect(one.subarray(0, 4).toString()).toBe("fLaC");
    expect(await readLabels(one)).toHaveLength(1);
    expect(await charactersLeft(member)).toBe(left - 5);
    const repeated = { headers: { "x-stainless-retry-count": "1" } };
    await (await ai.audio.speech.create(wanted, repeated)).arrayBuffer();
    expect(await charactersLeft(member)).toBe(left - 5);
  });

  it("lists models and voices, and finds a voice by its name", async () => {
    const ai = await client();
    expect((await ai.models.list()).data.map(({ id }) => id)).toContain("tts-1");
    const { data } = (await ai.get<{ data: Array<{ id: string; name: string }> }>("/audio/voices")) as never as {
      data: Array<{ id: string; name: string }>;
    };
    const [voice] = data;
    const named = await ai.audio.speech.create({ model: "shengxiang", voice: voice?.name ?? "", input: "名字也行。" });
    await named.arrayBuffer();
    expect((await listClones(member)).list[0]?.name).toBe(voice?.name);
  });

  it("says that a voice is still being learned, to its owner only", async () => {
    const { roleId, name } = await createRole(member, { name: "还在学习" });
    await waitForRole(member, roleId);
    await upstream.database().updateTable("role").set({ status: 1 }).where("id", "=", roleId).execute();
    const speak = async (who: TieredMember, voice: string) =>
      errorOf((await client(who)).audio.speech.create({ model: "tts-1", voice, input: "你好。" }));
    for (const voice of [roleId, name])
      expect(await speak(member, voice)).toMatchObject({ status: 400, param: "voice", code: "voice_not_ready" });
    expect(await speak(await createMember(upstream), name)).toMatchObject({ status: 400, code: "voice_not_found" });
  });

  it("refuses in OpenAI's form, with the field and a code", async () => {
    const ai = await client();
    const base = await speech();
    const refused = (change: object) => errorOf(ai.audio.speech.create({ ...base, ...change }));
    expect(await refused({ voice: "nobody" })).toMatchObject({ status: 400, param: "voice", code: "voice_not_found" });
    expect(await refused({ response_format: "pcm" })).toMatchObject({
      ...{ status: 400, param: "response_format", code: "unsupported_format" },
      message: expect.stringContaining("GB 45438"),
    });
    expect(await refused({ response_format: "opus" })).toMatchObject({ code: "unsupported_format" });
    expect(await refused({ speed: 4 })).toMatchObject({ param: "speed", code: "invalid_value" });
    expect(await refused({ stream_format: "sse" })).toMatchObject({ param: "stream_format" });
    expect(await refused({ model: "gpt-9" })).toMatchObject({ param: "model", code: "model_not_found" });
    expect(await refused({ input: "，。" })).toMatchObject({ status: 400, param: "input", code: "text_empty" });
    expect(await refused({ input: "字".repeat(1501) })).toMatchObject({
      ...{ status: 400, param: "input", code: "text_too_long", message: expect.stringContaining("1501") },
    });
    expect(await refused({ input: undefined })).toMatchObject({ status: 400, param: "input", code: "bad_request" });
    expect(await errorOf(clientOf("sk-wrong").audio.speech.create(base))).toMatchObject({
      ...{ status: 401, code: "invalid_api_key", type: "invalid_request_error" },
    });
  });

  it.each(["sk-wrong", `sk-${"x".repeat(43)}`])("answers 401 to the unknown key %s in every call", async (apiKey) => {
    const unknown = { status: 401, code: "invalid_api_key", message: expect.stringContaining("does not exist") };
    expect(await errorOf(clientOf(apiKey).models.list())).toMatchObject(unknown);
    expect(await errorOf(clientOf(apiKey).get("/audio/voices"))).toMatchObject(unknown);
    const bearer = { authorization: `Bearer ${apiKey}`, appid: "" };
    const program = createVisitor(upstream.services);
    expect(await program.get("/tasks/allowance", bearer)).toMatchObject({ status: 401, code: 5 });
  });

  it.each(["/models", "/audio/voices", "/audio/speech", "/audio/transcriptions"])(
    "asks for a key in %s",
    async (path) => {
      const method = ["/models", "/audio/voices"].includes(path) ? "GET" : "POST";
      const answer = await fetch(`${address}/api/v1${path}`, { method });
      expect(answer.status).toBe(401);
      const { error } = (await answer.json()) as { error: object };
      expect(error).toMatchObject({ code: "invalid_api_key", message: "send Authorization: Bearer sk-…" });
    },
  );

  it("stops at the key's limit of the month, and gives back what failed", async () => {
    const ai = await client(member, 10);
    const voice = await firstRoleId(member);
    const speak = async (input: string) =>
      (await ai.audio.speech.create({ model: "tts-1", voice, input })).arrayBuffer();
    upstream.speech.faults.segments = 3;
    expect(await errorOf(speak("一二三四五六七八"))).toMatchObject({ status: 500, type: "server_error" });
    upstream.speech.faults.segments = 0;
    await speak("一二三四五六");
    const refused = await errorOf(speak("七八九十百"));
    expect(refused).toMatchObject({ status: 429, code: "insufficient_quota", type: "insufficient_quota" });
    expect(refused.headers?.get("x-should-retry")).toBe("false");
    const { list } = (await member.get<CallData<"keyList">>("/users/keys")).data;
    expect(list.find(({ monthLimit }) => monthLimit === 10)).toMatchObject({
      monthUsed: 6,
      usedAt: expect.any(String),
    });
  });

  it("limits the rate with the time to wait", async () => {
    const { secret } = await createKey();
    const ai = clientOf(secret);
    await (await ai.audio.speech.create(await speech())).arrayBuffer();
    const rows = upstream.database().updateTable("rate").set({ hits: 1000 });
    await rows.where("key", "like", `create:account:${member.accountId}`).execute();
    const refused = await errorOf(ai.audio.speech.create(await speech()));
    expect(refused).toMatchObject({ status: 429, code: "rate_limit_exceeded" });
    expect(Number(refused.headers?.get("retry-after"))).toBeGreaterThan(0);
    await upstream.database().deleteFrom("rate").execute();
  });

  it("keeps keys to their calls, shows a secret once, and ends with revocation and account", async () => {
    const owner = await createMember(upstream, "vip");
    const key = await createKey(owner);
    const same = { "idempotency-key": "a-key-for-a-key" };
    const twice = [1, 2].map(() => owner.post<CallData<"keyCreate">>("/users/keys", { name: "两次" }, same));
    const [one, two] = await Promise.all(twice);
    expect(one?.data.secret).toBe(two?.data.secret);
    const stored = await upstream.database().selectFrom("api_key").selectAll().execute();
    expect(JSON.stringify(stored)).not.toContain(key.secret);
    expect(JSON.stringify((await owner.get("/users/keys")).data)).not.toContain(key.secret);
    const program = createVisitor(upstream.services);
    const bearer = { authorization: `Bearer ${key.secret}`, appid: "" };
    expect(await program.get("/tasks/allowance", bearer)).toMatchObject({ code: 0, data: { tier: "vip" } });
    expect((await program.get("/users/keys", bearer)).status).toBe(403);
    expect((await program.post("/users/delete/code", {}, bearer)).status).toBe(403);
    const archive = Buffer.from(await (await owner.file("/api/v1/users/export")).arrayBuffer());
    expect(readZip(archive).get("api-keys.json")?.toString()).toContain(key.keyId);
    await owner.post("/users/keys/revoke", { keyId: key.keyId });
    expect(await program.get("/tasks/allowance", bearer)).toMatchObject({ code: 5 });
    const left = { authorization: `Bearer ${one?.data.secret}`, appid: "" };
    await deleteAccount(upstream, owner);
    expect(await program.get("/tasks/allowance", left)).toMatchObject({ code: 5 });
  });
});

describe.each(ruleEngines)("a streamed speech on %s", (engine) => {
  it("is recognised by its label", async () => {
    const upstream = await openTestUpstream(engine, { speech: createTalkingSpeech() });
    upstream.services.startWorker();
    const member = await createMember(upstream, "svip");
    const { secret } = (await member.post<CallData<"keyCreate">>("/users/keys", { name: "a" })).data;
    const ai = new OpenAI({
      ...{ apiKey: secret, baseURL: "http://upstream/api/v1", maxRetries: 0 },
      fetch: async (url, init) => upstream.services.fetch(new Request(url as string, init as RequestInit)),
    });
    const input = "昨天晚上我和朋友一起去看了一场精彩的足球比赛，大家都非常高兴，回来的路上还下起了小雨。";
    const answer = await ai.audio.speech.create({ model: "tts-1", voice: await firstRoleId(member), input });
    const form = new FormData();
    form.append("file", new Blob([await answer.arrayBuffer()]), "a.mp3");
    const { data } = await member.upload<CallData<"verify">>("/verify", form);
    expect(data).toMatchObject({ ours: true, by: "label", signature: "valid", labelled: true });
    await upstream.close();
  });
});
