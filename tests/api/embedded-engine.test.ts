import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { decodeRecording } from "~server/speech/recording/decode";
import { createServices, type Services } from "~server/upstream/compose/services";
import { findDownload } from "../support/downloads";
import { findMp3Labels, findWavLabels } from "../support/independent-label";
import { speechLike } from "../support/sounds";
import { createTrial, waitForTrial } from "../support/trial";
import { appId, createVisitor, recordingForm } from "../support/upstream";

let services: Services;
let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "test-embedded-"));
  const secrets = { dataKey: "a key for tests that is long enough", sms: undefined };
  const place = { dataDir, databaseUrl: undefined, siteUrl: null };
  const config = { ...place, ...secrets, appId, logLevel: "silent", mode: "demo" } as const;
  services = await createServices(config, { previews: false });
  services.startWorker();
});
afterAll(async () => {
  await services.close();
  await rm(dataDir, { recursive: true, force: true });
});

it("the embedded engine clones a recording from the upload to labelled files", async () => {
  const visitor = createVisitor(services);
  const upload = await visitor.upload<{ voicePath: string }>(
    "/file/uploadCustom",
    recordingForm(speechLike({ seconds: 8, seed: 5, pitchHz: 190 })),
  );
  expect(upload.code).toBe(0);
  const content = "你好，这是用我的声音说的一句话。今天3月5日，银行在行(hang2)里。";
  const { data } = await createTrial(visitor, { content, voicePath: upload.data.voicePath });
  const result = await waitForTrial(visitor, data.taskId, 240_000);
  expect(result).toMatchObject({ status: 2, progress: 1, msg: "" });
  expect(result.duration).toBeGreaterThan(3);
  expect(result.duration).toBeLessThan(20);

  const bytesOf = async (url = "") => new Uint8Array(await (await visitor.file(url)).arrayBuffer());
  const play = await bytesOf(result.voiceUrl);
  const [mp3, wav] = [await bytesOf(findDownload(result, "mp3")), await bytesOf(findDownload(result, "wav"))];
  expect([...findMp3Labels(play), ...findMp3Labels(mp3), ...findWavLabels(wav)]).toHaveLength(3);
  const decoded = await decodeRecording(wav);
  expect(decoded.complete).toBe(true);
  expect(decoded.durationMs).toBeGreaterThan(result.duration * 1000);
  expect(decoded.samples.some((sample) => Math.abs(sample) > 0.1)).toBe(true);

  const timeline = JSON.parse(Buffer.from(await bytesOf(result.timelineUrl)).toString());
  for (const { text, offset } of timeline.units) expect(content.startsWith(text, offset)).toBe(true);
  expect(timeline.durationMs).toBeCloseTo(result.duration * 1000, -2);
  expect(timeline.phonemes.length).toBeGreaterThan(20);
}, 300_000);
