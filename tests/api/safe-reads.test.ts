import { sql } from "kysely";
import md5 from "md5";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { CallData, CallName } from "~server/contract/calls/table";
import { calls } from "~server/contract/calls/table";
import { createClone, waitForClone } from "../support/clone";
import { ruleEngines } from "../support/database";
import { createDub, waitForDub } from "../support/dub";
import { createMember, type TieredMember } from "../support/member";
import { createRole, openProofUpstream, uploadSpeech, waitForRole } from "../support/role";
import { readEvents } from "../support/task-events";
import { createTrial, firstRoleId, sentence, waitForTrial } from "../support/trial";
import { createVisitor, type TestUpstream, type Visitor } from "../support/upstream";

/** Tables that a read changes, and why it may. */
const exceptions: Partial<Record<CallName, { tables: string[]; reason: string }>> = {
  taskEvents: { tables: ["rate", "task_event"], reason: "counted; the first reader numbers committed events" },
  proofResult: { tables: ["rate"], reason: "polled: counted for all servers together" },
  userExport: { tables: ["rate"], reason: "expensive: counted for all servers together" },
  dubExport: { tables: ["rate"], reason: "expensive: counted for all servers together" },
};

/** The sandbox identifies no payers. */
const safeCalls = (Object.keys(calls) as CallName[]).filter((name) => calls[name].isSafe && name !== "payPayer");

/** Voices that would come by themselves and by a press: their calls are offered. */
const cloner = { name: "sherpa", folder: "none", isInstallable: true, concurrency: 1, timeoutMs: 1 } as const;
const arriving = {
  engines: [cloner, { name: "kokoro" as const, folders: [] }, { name: "embedded" as const }],
  wantedModels: ["kokoro"],
};

describe.each(ruleEngines)("reads on %s", (engine) => {
  let upstream: TestUpstream;
  let member: TieredMember;
  let visitor: Visitor;
  const queries: Partial<Record<CallName, string>> = {};
  const files: string[] = [];

  beforeAll(async () => {
    upstream = await openProofUpstream(engine);
    member = await createMember(upstream, "svip");
    visitor = createVisitor(upstream.services);
    await createRows();
    // Without a worker only requests write.
    const payments = { wechatPay: undefined, alipay: undefined, referral: { characters: 1000, monthMax: 1 } };
    await upstream.restart({ speech: { ...arriving, styles: {} }, payments });
    const { id, address } = visitor;
    visitor = createVisitor(upstream.services, { id, address });
    await recordWrites(upstream);
  }, 300_000);
  beforeEach(() => writtenTables(upstream));
  afterAll(() => upstream.close());

  /** Rows for every list and every id that a read takes. */
  async function createRows() {
    const roleId = await firstRoleId(member);
    const own = await createRole(member, { voicePath: await uploadSpeech(member, 14) });
    await waitForRole(member, own.roleId);
    const clone = await waitForClone(member, (await createClone(member, { content: sentence, roleId })).data.taskId);
    const lines = [{ roleId, content: "第一句。" }];
    const dub = await waitForDub(member, (await createDub(member, { lines })).data.taskId);
    const trial = (await createTrial(visitor, { content: sentence, roleId })).data;
    const { voiceUrl } = await waitForTrial(visitor, trial.taskId);
    const share = await member.post<CallData<"shareCreate">>("/share/create", { kind: "clone", id: clone.taskId });
    const asked = { roleId: own.roleId, askerName: "小林" };
    const link = await member.post<CallData<"consentLinkCreate">>("/voice/consent-link/create", asked);
    const voicePath = await uploadSpeech(visitor, 14, 9);
    const prompt = await visitor.post<CallData<"proofPrompt">>("/voice/proof/prompt", { voicePath });
    const proof = { promptId: prompt.data.promptId, voicePath: await uploadSpeech(visitor, 12, 11) };
    await visitor.post("/voice/proof/submit", proof);
    await vi.waitFor(
      async () => {
        const { data } = await visitor.get(`/voice/proof/result?promptId=${proof.promptId}`);
        expect(data.outcome).not.toBe("judging");
      },
      { timeout: 60_000, interval: 50 },
    );
    const wanted = { pCode: "svip-month", sign: md5("svip-month"), platform: 1 };
    const order = await member.post<CallData<"orderCreate">>("/pay/order/qrcode", wanted);
    const project = {
      projectId: "one",
      baseRevision: 0,
      title: "",
      excerpt: "",
      lines: 0,
      characters: 0,
      document: {},
    };
    await member.post("/project/put", project);
    const handover = await member.post<CallData<"handoverCreate">>("/pay/handover", { orderId: order.data.orderId });
    const opened = await visitor.post<CallData<"handoverOpen">>("/pay/handover/open", handover.data);
    files.push(clone.voiceUrl, dub.voiceUrl, voiceUrl, own.voiceUrl);
    Object.assign(queries, {
      dubExport: `dubbId=${dub.taskId}&format=zip`,
      trialResult: `taskId=${trial.taskId}`,
      proofResult: `promptId=${proof.promptId}`,
      consentAsk: `token=${link.data.token}`,
      projectGet: "projectId=one",
      shareInfo: `shareId=${share.data.shareId}`,
      shareFile: `shareId=${share.data.shareId}&part=sound`,
      handoverShow: `pass=${opened.data.pass}`,
      payAuthorize: `platform=1&returnTo=https://voice.example/a&state=${"s".repeat(16)}`,
      cashier: `id=${order.data.url.split("/").at(-1)}`,
    });
  }

  it.each(safeCalls)("%s changes no row and no file", async (name) => {
    const bytes = await upstream.bytes.keys();
    const asMember = calls[name].caller === "user";
    const who = asMember || name === "taskEvents" ? withToken(member) : visitor;
    const path = `/api/v1${calls[name].path}?${queries[name] ?? ""}`;
    if (name === "taskEvents") await readEvents(who, () => true);
    else {
      const answer = await who.file(path);
      expect(answer.status).toBe(200);
      const text = await answer.text();
      if (calls[name].answers === "envelope") expect(JSON.parse(text)).toMatchObject({ code: 0 });
    }
    expect(await writtenTables(upstream)).toEqual(exceptions[name]?.tables ?? []);
    expect(await upstream.bytes.keys()).toEqual(bytes);
  });

  it("a played and a downloaded file change no row", async () => {
    for (const url of files) for (const who of [withToken(member), visitor]) await (await who.file(url)).arrayBuffer();
    expect(await writtenTables(upstream)).toEqual([]);
  });

  const withToken = ({ token, address }: TieredMember): Visitor => {
    const reader = createVisitor(upstream.services, { address });
    const file: Visitor["file"] = (url, headers) => reader.file(url, { token, ...(headers as object) });
    return { ...reader, file };
  };
});

/** Notes every inserted, updated or deleted row from now on. */
async function recordWrites(upstream: TestUpstream): Promise<void> {
  const db = upstream.database();
  const tables = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' order by 1`.execute(db);
  await sql`create table written (relation text not null)`.execute(db);
  await sql`create function note_write() returns trigger language plpgsql as $$
    begin insert into written values (tg_table_name); return null; end $$`.execute(db);
  for (const { name } of tables.rows)
    await sql`create trigger note_write after insert or update or delete on ${sql.table(name)}
      for each row execute function note_write()`.execute(db);
}

/** The tables that were changed since the last call. */
async function writtenTables(upstream: TestUpstream): Promise<string[]> {
  const { rows } = await sql<{ relation: string }>`delete from written returning relation`.execute(upstream.database());
  return [...new Set(rows.map(({ relation }) => relation))].sort();
}
