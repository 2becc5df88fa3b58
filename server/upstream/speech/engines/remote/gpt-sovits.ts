import { createHash, randomUUID } from "node:crypto";
import { mkdir, readdir, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createHttpBackend, type HttpServer } from "./http-backend";
import type { Backend } from "./remote-engine";

export interface GptSoVitsSettings {
  url: string;
  /** A folder both sides see: where we write recordings, and where the server finds them. */
  folder: string;
  serverFolder: string;
}

/**
 * The project's api_v2.py. It takes a recording by its path on its own disk alone, of 3–10 seconds: they lie in a folder
 * that both share. It knows no emotions.
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
    rateOf: () => 32_000,
    ask: async ({ text, voice, speed }) => ({
      url: `${url}/tts`,
      body: {
        text,
        text_lang: "zh",
        ref_audio_path: `${serverFolder.replace(/\/+$/, "")}/${await shared.lay(Buffer.from(voice.wav, "base64"))}`,
        prompt_text: voice.text,
        prompt_lang: "zh",
        text_split_method: "cut5",
        batch_size: 1,
        media_type: "wav",
        streaming_mode: 2,
        speed_factor: speed,
      },
      // It says 400 for its own mishaps, too.
      faultOf: (status, body) => (status === 400 && body.includes("tts failed") ? "engine" : undefined),
    }),
  };
  return createHttpBackend(server);
}

export interface SharedFolder {
  /** Lays a recording down unless it lies there; the name of its file. */
  lay(bytes: Uint8Array): Promise<string>;
  /** Takes away what nobody has used for an hour: a recording must not outlive the account it belongs to. */
  sweep(): Promise<void>;
  close(): void;
}

const keptMs = 60 * 60 * 1000;
const sweptEveryMs = 10 * 60 * 1000;
/** Nothing but our own is taken away. */
const ours = /^[0-9a-f]{32}\.wav(\.[0-9a-f-]{36}\.part)?$/;

/** Recordings where a server that reads paths alone can see them; several processes may share it. */
export function createSharedFolder(folder: string, now: () => number = Date.now): SharedFolder {
  const sweep = async () => {
    for (const name of await readdir(folder).catch(() => [])) {
      if (!ours.test(name)) continue;
      const path = join(folder, name);
      const usedAt = await stat(path).then(
        ({ mtimeMs }) => mtimeMs,
        () => now(),
      );
      if (now() - usedAt > keptMs) await rm(path, { force: true });
    }
  };
  // It stands still where nobody speaks any more; the first sweep of the next process makes up for it.
  const timer = setInterval(() => void sweep().catch(() => {}), sweptEveryMs);
  timer.unref();
  void sweep().catch(() => {});

  return {
    sweep,
    async lay(bytes) {
      const name = `${createHash("sha256").update(bytes).digest("hex").slice(0, 32)}.wav`;
      const path = join(folder, name);
      const used = new Date(now());
      const size = await stat(path).then(
        (file) => file.size,
        () => null,
      );
      const isThere =
        size === bytes.length &&
        (await utimes(path, used, used).then(
          () => true,
          () => false,
        ));
      if (isThere) return name;
      await mkdir(folder, { recursive: true });
      const half = `${path}.${randomUUID()}.part`;
      await writeFile(half, bytes);
      await utimes(half, used, used);
      await rename(half, path);
      return name;
    },
    close: () => clearInterval(timer),
  };
}
