import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { readConfig } from "~server/config";
import { isSimulated, modelsFolder, usableEngines } from "~server/settings/installed";
import { createSpeech } from "~server/upstream/compose/speech";
import { installWantedVoices } from "~server/upstream/compose/wanted-voices";
import type { Mirror } from "../support/model-mirror";
import { hasSherpaAddon, linkSherpaAddon, startZipVoiceMirror } from "../support/sherpa/models";
import { createTrial, uploadVoice, waitForTrial } from "../support/trial";
import { createVisitor, openTestUpstream, type TestUpstream } from "../support/upstream";

const dataDir = mkdtempSync(join(tmpdir(), "natural-"));

/** A proxy that leads every host to one server. */
async function startProxy(target: string) {
  const hosts: string[] = [];
  const server = createServer().on("connect", ({ url = "" }, socket) => {
    hosts.push(url);
    const { hostname, port } = new URL(target);
    const to = connect(Number(port), hostname, () => socket.write("HTTP/1.1 200 OK\r\n\r\n"));
    for (const end of [to, socket]) end.on("error", () => end.destroy());
    to.pipe(socket).pipe(to);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { hosts, url, close: () => new Promise((resolve) => server.close(resolve)) };
}

describe.runIf(hasSherpaAddon)("a natural voice that VOICES names", () => {
  let mirror: Mirror;
  let proxy: Awaited<ReturnType<typeof startProxy>>;
  let upstream: TestUpstream;
  beforeAll(async () => {
    const served = await startZipVoiceMirror(dataDir);
    mirror = served.mirror;
    proxy = await startProxy(mirror.url);
    const behindProxy = { VOICES_MIRROR: "http://models.invalid", HTTP_PROXY: proxy.url };
    for (const [name, value] of Object.entries({ ...served.settings, ...behindProxy })) vi.stubEnv(name, value);
    linkSherpaAddon(modelsFolder(dataDir));
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await upstream?.close();
    await mirror.close();
    await proxy.close();
    rmSync(dataDir, { recursive: true });
  });

  it("is installed in the background through a proxy, again after a failure, and speaks", {
    timeout: 600_000,
  }, async () => {
    const config = readConfig({ DATA_DIR: dataDir, VOICES: "zipvoice" });
    expect(isSimulated(config.speech.engines)).toBe(true);
    const lines: string[] = [];
    const log = pino({}, { write: (line) => lines.push(line) });
    const install = () => installWantedVoices(config, { log, signal: new AbortController().signal });
    mirror.plan("zipvoice/decoder.int8.onnx", ["missing"]);
    await install();
    expect(lines.at(-1)).toMatch(/answers 404.*could not be installed; it is tried again/);
    await install();
    expect(lines.at(-1)).toMatch(/is installed: .*a running product uses it/);
    expect(new Set(proxy.hosts)).toEqual(new Set(["models.invalid:80"]));
    const written = lines.length;
    await install();
    expect(lines).toHaveLength(written);

    const { speech: settings } = config;
    // The settings are those of the start, before the model came.
    expect(usableEngines(settings.engines).map(({ name }) => name)).toEqual(["sherpa", "embedded"]);
    const speech = createSpeech(settings, { withMetrics: (engine) => engine, onChange: () => {} });
    upstream = await openTestUpstream("embedded", { speech, previews: false });
    upstream.services.startWorker();

    const visitor = createVisitor(upstream.services);
    const voicePath = await uploadVoice(visitor);
    const transcript = "希望你以后能够做得比我还好。";
    const { data } = await createTrial(visitor, { content: "你好，今天是3月5日。", voicePath, transcript });
    expect(await waitForTrial(visitor, data.taskId, 300_000)).toMatchObject({ status: 2 });
    const db = upstream.database();
    const row = await db.selectFrom("rendition").select("spoken_by").executeTakeFirstOrThrow();
    expect(row.spoken_by).toBe("sherpa@3:zipvoice:zipvoice");
  });
});
