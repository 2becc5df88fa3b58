import { writeFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TrialResult } from "~server/upstream/generations/trials/trials";
import { testEngines } from "../support/database";
import { findDownload } from "../support/downloads";
import { findMp3Labels, findWavLabels } from "../support/independent-label";
import { createTrial, firstRoleId, sentence, uploadVoice, waitForTrial } from "../support/trial";
import { createVisitor, openTestUpstream, type TestUpstream, type Visitor } from "../support/upstream";

describe.each(testEngines)("files on %s", (engine) => {
  let upstream: TestUpstream;
  let owner: Visitor;
  let result: TrialResult;
  beforeAll(async () => {
    upstream = await openTestUpstream(engine);
    upstream.services.startWorker();
    owner = createVisitor(upstream.services);
    const { data } = await createTrial(owner, { content: sentence, roleId: await firstRoleId(owner) });
    result = await waitForTrial(owner, data.taskId);
  });
  afterAll(() => upstream.close());

  const bytesOf = async (url: string) => new Uint8Array(await (await owner.file(url)).arrayBuffer());

  it("contain exactly one AI content label each, all different", async () => {
    const mp3s = [result.voiceUrl, `${result.voiceUrl}?download=1`];
    const labels = [];
    for (const url of mp3s) labels.push(...findMp3Labels(await bytesOf(url)));
    labels.push(...findWavLabels(await bytesOf(findDownload(result, "wav"))));
    expect(labels).toHaveLength(3);
    expect(new Set(labels.map((label) => JSON.parse(label).ProduceID)).size).toBe(3);
  });

  it("are downloaded with the audible mark", async () => {
    const play = await bytesOf(result.voiceUrl);
    const kept = await owner.file(`${result.voiceUrl}?download=1`);
    expect(kept.headers.get("content-disposition")).toMatch(/^attachment; filename="[\w-]+\.mp3"$/);
    expect(kept.headers.get("content-type")).toBe("audio/mpeg");
    expect((await kept.arrayBuffer()).byteLength).toBeGreaterThan(play.length + 1000);
    expect(await bytesOf(`${result.voiceUrl}?download=1`)).toEqual(await bytesOf(findDownload(result, "mp3")));
    const wav = await owner.file(`${result.voiceUrl.replace(".mp3", ".wav")}?download=1`);
    expect(wav.headers.get("content-type")).toBe("audio/wav");
    expect(Buffer.from(await wav.arrayBuffer()).toString("latin1", 0, 4)).toBe("RIFF");
  });

  it("support range requests, ETags and HEAD", async () => {
    const whole = await owner.file(result.voiceUrl);
    const bytes = new Uint8Array(await whole.arrayBuffer());
    const etag = whole.headers.get("etag") ?? "";
    expect(Number(whole.headers.get("content-length"))).toBe(bytes.length);
    expect(whole.headers.get("accept-ranges")).toBe("bytes");

    const part = await owner.file(result.voiceUrl, { range: "bytes=10-19" });
    expect([part.status, part.headers.get("content-range")]).toEqual([206, `bytes 10-19/${bytes.length}`]);
    expect(new Uint8Array(await part.arrayBuffer())).toEqual(bytes.slice(10, 20));
    expect(await owner.statusOf(result.voiceUrl, { range: `bytes=${bytes.length}-` })).toBe(416);
    expect(await owner.statusOf(result.voiceUrl, { "if-none-match": etag })).toBe(304);
    expect(whole.headers.get("cache-control")).toMatch(/^private/);
    const head = await owner.head(result.voiceUrl);
    expect([head.status, head.headers.get("content-length")]).toEqual([200, String(bytes.length)]);
    expect((await head.arrayBuffer()).byteLength).toBe(0);
  });

  it("return the same answer as missing files to other callers", async () => {
    const stranger = createVisitor(upstream.services);
    const recording = await uploadVoice(owner);
    const missing = await stranger.file("/api/v1/files/AAAAAAAAAAAAAAAAAAAAAAAA.mp3");
    const expected = [missing.status, await missing.text()];
    expect(expected[0]).toBe(404);
    const urls = [
      result.voiceUrl,
      findDownload(result, "mp3"),
      findDownload(result, "wav"),
      result.timelineUrl,
      recording,
    ];
    for (const url of urls.flatMap((url) => [String(url), `${url}?download=1`])) {
      const answer = await stranger.file(url, { "x-forwarded-for": owner.address });
      expect([answer.status, await answer.text()]).toEqual(expected);
      const anonymous = await stranger.file(url, { "x-visitor-id": "", token: "x" });
      expect([anonymous.status, await anonymous.text()]).toEqual(expected);
    }
  });

  it.each(["x", "x.mp3", "..%2f..%2fetc%2fpasswd", "%00.mp3", `${"a".repeat(200)}.mp3`])(
    "are not found under %s",
    async (name) => {
      expect(await owner.statusOf(`/api/v1/files/${name}`)).toBe(404);
    },
  );

  it("are not served under another type", async () => {
    expect(await owner.statusOf(result.voiceUrl.replace(".mp3", ".json"))).toBe(404);
  });

  it("are not served when their label is gone", async () => {
    const { data } = await createTrial(owner, { content: sentence, roleId: await firstRoleId(owner) });
    const { voiceUrl } = await waitForTrial(owner, data.taskId);
    const id = voiceUrl.replace(/^.*\/|\..*$/g, "");
    const row = await upstream.database().selectFrom("media_file").selectAll().where("id", "=", id).executeTakeFirst();
    await writeFile(upstream.bytes.pathOf(row?.storage_key ?? ""), Buffer.alloc(row?.bytes ?? 0));
    for (const query of ["", "?link=1"]) {
      const answer = await owner.file(voiceUrl + query);
      expect(answer.status).toBe(500);
      expect(await answer.json()).toMatchObject({ code: 7, msg: "failure" });
    }
  });

  it("redirect permitted callers to a signed bucket address, and are sent directly without one", async () => {
    const lent = await owner.file(`${result.voiceUrl}?link=1`);
    if (engine === "embedded") return expect(lent.status).toBe(200);
    expect([lent.status, lent.headers.get("cache-control")]).toEqual([307, "private, no-store"]);
    const direct = await fetch(lent.headers.get("location") ?? "");
    expect(direct.headers.get("content-type")).toBe("audio/mpeg");
    expect(new Uint8Array(await direct.arrayBuffer())).toEqual(await bytesOf(result.voiceUrl));

    const kept = await owner.file(`${result.voiceUrl}?link=1&download=1`);
    const saved = await fetch(kept.headers.get("location") ?? "");
    expect(saved.headers.get("content-disposition")).toMatch(/^attachment; filename="[\w-]+\.mp3"$/);
    expect(new Uint8Array(await saved.arrayBuffer())).toEqual(await bytesOf(`${result.voiceUrl}?download=1`));

    const forged = (lent.headers.get("location") ?? "").replace(/X-Amz-Expires=\d+/, "X-Amz-Expires=86400");
    expect((await fetch(forged)).status).toBe(403);
    const stranger = createVisitor(upstream.services);
    expect(await stranger.statusOf(`${result.voiceUrl}?link=1`)).toBe(404);
  });

  it("return an uploaded recording unchanged", async () => {
    const url = await uploadVoice(owner);
    const kept = await owner.file(`${url}?download=1`);
    expect(kept.headers.get("content-disposition")).toMatch(/^attachment/);
    expect(new Uint8Array(await kept.arrayBuffer())).toEqual(await bytesOf(url));
  });
});
