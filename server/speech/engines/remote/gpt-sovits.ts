import { createHash, randomUUID } from "node:crypto";
import { chmod, mkdir, readdir, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Backend } from "./backend";
import { createHttpBackend, type HttpServer } from "./http-backend";

export interface GptSoVitsSettings {
  url: string;
  /** The shared folder for recordings, as seen from here and from the server. */
  folder: string;
  serverFolder: string;
}

/**
 * Backend for GPT-SoVITS's api_v2.py, which reads recordings of 3–10 seconds by path, from a shared folder. It has no
 * emotion parameter.
 */
export function createGptSoVitsBackend({ url, folder, serverFolder }: GptSoVitsSettings): Backend {
  const shared = createSharedFolder(folder);
  const server: HttpServer = {
    close: shared.close,
    id: "gpt-sovits",
    version: "1",
    maxChars: 2000,
    languages: ["zh", "en"],
    reference: { minSeconds: 3, maxSeconds: 9.9 },
    speeds: [0.6, 1.65],
    health: { url: `${url}/openapi.json` },
    rawRateOf: () => 32_000,
    toRequest: async ({ text, voice, speed }) => ({
      url: `${url}/tts`,
      body: {
        text,
        text_lang: "zh",
        ref_audio_path: `${serverFolder.replace(/\/+$/, "")}/${await shared.store(Buffer.from(voice.wav, "base64"))}`,
        prompt_text: voice.text,
        prompt_lang: "zh",
        text_split_method: "cut5",
        batch_size: 1,
        media_type: "wav",
        streaming_mode: 2,
        speed_factor: speed,
      },
      // It also returns 400 for internal errors.
      faultOf: (status, body) => (status === 400 && body.includes("tts failed") ? "engine" : undefined),
    }),
  };
  return createHttpBackend(server);
}

export interface SharedFolder {
  /** Stores a recording unless it exists; returns the file name. */
  store(bytes: Uint8Array): Promise<string>;
  /** Removes recordings unused for an hour, so that they do not outlive their account. */
  sweep(): Promise<void>;
  close(): void;
}

const retentionMs = 60 * 60 * 1000;
const sweepIntervalMs = 10 * 60 * 1000;
/** Only files with these names are removed. */
const ownFiles = /^[0-9a-f]{32}\.wav(\.[0-9a-f-]{36}\.part)?$/;

/** A folder of reference recordings; several processes may share it. */
export function createSharedFolder(folder: string, now: () => number = Date.now): SharedFolder {
  const sweep = async () => {
    for (const name of await readdir(folder).catch(() => [])) {
      if (!ownFiles.test(name)) continue;
      const path = join(folder, name);
      const usedAt = await stat(path).then(
        ({ mtimeMs }) => mtimeMs,
        () => now(),
      );
      if (now() - usedAt > retentionMs) await rm(path, { force: true });
    }
  };
  // The timer must not keep the process alive; the next process sweeps on start.
  const timer = setInterval(() => void sweep().catch(() => {}), sweepIntervalMs);
  timer.unref();
  void sweep().catch(() => {});

  return {
    sweep,
    async store(bytes) {
      const name = `${createHash("sha256").update(bytes).digest("hex").slice(0, 32)}.wav`;
      const path = join(folder, name);
      const used = new Date(now());
      const size = await stat(path).then(
        (file) => file.size,
        () => null,
      );
      const exists =
        size === bytes.length &&
        (await utimes(path, used, used).then(
          () => true,
          () => false,
        ));
      if (exists) return name;
      await mkdir(folder, { recursive: true });
      const partial = `${path}.${randomUUID()}.part`;
      await writeFile(partial, bytes);
      // The speech server may run as another user.
      await chmod(partial, 0o644);
      await utimes(partial, used, used);
      await rename(partial, path);
      return name;
    },
    close: () => clearInterval(timer),
  };
}
