import { createHash, randomUUID } from "node:crypto";
import { mkdir, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type HttpServer, overHttp } from "../remote/http-backend";
import type { Backend } from "../remote/remote-engine";

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
export function gptSoVitsServer({ url, folder, serverFolder }: GptSoVitsSettings): Backend {
  const server: HttpServer = {
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
        ref_audio_path: `${serverFolder.replace(/\/+$/, "")}/${await lay(folder, voice.wav)}`,
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
  return overHttp(server);
}

/** Lays a recording into the folder unless it is there; the name of its file. */
async function lay(folder: string, wav: string): Promise<string> {
  const bytes = Buffer.from(wav, "base64");
  const name = `${createHash("sha256").update(bytes).digest("hex").slice(0, 32)}.wav`;
  const path = join(folder, name);
  const isThere = await stat(path).then(
    ({ size }) => size === bytes.length,
    () => false,
  );
  if (isThere) return name;
  await mkdir(folder, { recursive: true });
  const half = `${path}.${randomUUID()}.part`;
  await writeFile(half, bytes);
  await rename(half, path);
  return name;
}
