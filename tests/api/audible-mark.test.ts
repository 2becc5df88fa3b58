import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { markAgreement } from "~server/contract/audible-mark";
import type { CallData } from "~server/contract/calls/table";
import { decodeRecording } from "~server/speech/recording/decode";
import { readLabels } from "~server/upstream/media/label/label";
import { deleteAccount } from "../support/account";
import { createClone, waitForClone } from "../support/clone";
import { ruleEngines } from "../support/database";
import { findDownload } from "../support/downloads";
import { createMember, join, type TieredMember } from "../support/member";
import { readZip } from "../support/read-zip";
import { firstRoleId } from "../support/trial";
import { createVisitor, openTestUpstream, type TestUpstream } from "../support/upstream";

type Mark = CallData<"audibleMark">;

const { sha256 } = markAgreement;

describe.each(ruleEngines)("the audible mark on %s", (engine) => {
  let upstream: TestUpstream;
  let roleId: string;
  beforeAll(async () => {
    upstream = await openTestUpstream(engine);
    upstream.services.startWorker();
    roleId = await firstRoleId(createVisitor(upstream.services));
  });
  afterAll(() => upstream.close());

  const readMark = async (member: TieredMember) => (await member.get<Mark>("/users/audible-mark")).data;
  const waive = (member: TieredMember, isWaived = true) =>
    member.post<Mark>("/users/audible-mark", isWaived ? { isWaived, sha256 } : { isWaived });
  const agreements = () => upstream.database().selectFrom("mark_agreement").selectAll().orderBy("agreed_at");
  let texts = 0;

  /** Whether each download of a new clone is longer than the file to play, and its labels. */
  async function speak(member: TieredMember) {
    texts++;
    const { data } = await createClone(member, { content: `这是第${texts}段文字，用来听有没有提示音。`, roleId });
    const clone = await waitForClone(member, data.taskId);
    const bytesOf = async (url: string) => new Uint8Array(await (await member.file(url)).arrayBuffer());
    const secondsOf = async (bytes: Uint8Array) => {
      const { samples, sampleRate } = await decodeRecording(bytes);
      return samples.length / sampleRate;
    };
    const play = await secondsOf(await bytesOf(clone.voiceUrl));
    const files = [await bytesOf(findDownload(clone, "mp3")), await bytesOf(findDownload(clone, "wav"))];
    const longer = [];
    for (const file of files) longer.push((await secondsOf(file)) > play + 0.5);
    const told = [...new Set(clone.downloads.map(({ hasMark }) => hasMark))];
    return { longer, told, labels: (await Promise.all(files.map(readLabels))).flat() };
  }

  it("stays without an agreement, and cannot be waived without a tier or to another text", async () => {
    const member = await createMember(upstream, "vip");
    expect(await readMark(member)).toEqual({ isWaived: false, isMember: true, agreedAt: "" });
    expect(await speak(member)).toMatchObject({ longer: [true, true], told: [true] });
    const other = { isWaived: true, sha256: "f".repeat(64) };
    expect(await member.post("/users/audible-mark", other)).toMatchObject({ status: 400, msg: "bad-request" });
    expect(await member.post("/users/audible-mark", { isWaived: true })).toMatchObject({ status: 400 });
    const free = await createMember(upstream);
    expect(await waive(free)).toMatchObject({ code: 1001, data: { reason: "tier" } });
    const visitor = createVisitor(upstream.services);
    expect(await visitor.post("/users/audible-mark", { isWaived: true, sha256 })).toMatchObject({ code: 5 });
    expect(await agreements().execute()).toEqual([]);
  });

  it("is left out after the agreement, the implicit label stays, and returns when the agreement ends", async () => {
    const member = await createMember(upstream, "svip");
    const { data } = await waive(member);
    expect(data).toEqual({ isWaived: true, isMember: true, agreedAt: expect.stringMatching(/\+08:00$/) });
    const { longer, told, labels } = await speak(member);
    expect([longer, told]).toEqual([[false, false], [false]]);
    expect(labels).toEqual([
      expect.objectContaining({ Label: "1", ReservedCode1: expect.stringContaining("ed25519.") }),
      expect.objectContaining({ Label: "1", ReservedCode1: expect.stringContaining("ed25519.") }),
    ]);
    expect((await waive(member, false)).data).toMatchObject({ isWaived: false, agreedAt: "" });
    expect((await speak(member)).longer).toEqual([true, true]);
  });

  it("returns when the membership ends, although the agreement holds", async () => {
    const member = await createMember(upstream);
    await join(upstream, { accountId: member.accountId, tier: "vip", seconds: 4 });
    expect((await waive(member)).code).toBe(0);
    const isOver = async () => expect(await readMark(member)).toMatchObject({ isWaived: true, isMember: false });
    await vi.waitFor(isOver, { timeout: 60_000, interval: 200 });
    expect((await speak(member)).longer).toEqual([true, true]);
  });

  it("logs who agreed when, to which text, from where, and when it ended; a repetition logs nothing", async () => {
    const member = await createMember(upstream, "vip");
    for (const isWaived of [true, true, false, false]) await waive(member, isWaived);
    const own = agreements().where("account_id", "=", member.accountId);
    expect(await own.execute()).toEqual([
      {
        id: expect.any(String),
        account_id: member.accountId,
        owner_hash: expect.stringMatching(/^[\w-]{43}$/),
        text_version: markAgreement.version,
        text_sha256: sha256,
        agreed_at: expect.any(Date),
        address: member.address,
        ended_at: expect.any(Date),
        ended_address: member.address,
      },
    ]);
  });

  it("keeps the log for six months after the account's deletion, then deletes it; the export contains it", async () => {
    const member = await createMember(upstream, "vip");
    await waive(member);
    const zip = readZip(Buffer.from(await (await member.file("/api/v1/users/export")).arrayBuffer()));
    const exported = JSON.parse(Buffer.from(zip.get("audible-mark.json") ?? "").toString());
    expect(exported).toMatchObject([{ text_sha256: sha256, address: member.address, ended_at: null }]);
    const own = agreements().where("account_id", "=", member.accountId);
    const { id } = await own.executeTakeFirstOrThrow();
    expect((await deleteAccount(upstream, member)).code).toBe(0);
    const log = agreements().where("id", "=", id);
    const age = (months: number, days: number) =>
      sql`update mark_agreement set agreed_at = now() - interval '2 years',
        ended_at = now() - make_interval(months => ${months}, days => ${days}) where id = ${id}`.execute(
        upstream.database(),
      );
    expect(await log.executeTakeFirst()).toMatchObject({ account_id: null, ended_at: expect.any(Date) });
    const restart = async () => {
      await upstream.restart();
      upstream.services.startWorker();
    };
    await age(5, 27);
    await restart();
    // An older row, whose deletion shows that the sweep has run.
    await upstream
      .database()
      .insertInto("mark_agreement")
      .values({ owner_hash: "old", text_version: 1, text_sha256: sha256, address: "", ended_at: new Date(0) })
      .execute();
    await restart();
    await vi.waitFor(
      async () => expect(await agreements().where("owner_hash", "=", "old").execute()).toEqual([]),
      150_000,
    );
    expect(await agreements().where("id", "=", id).execute()).toHaveLength(1);
    await age(6, 1);
    await restart();
    await vi.waitFor(async () => expect(await agreements().where("id", "=", id).execute()).toEqual([]), 150_000);
  });
});
