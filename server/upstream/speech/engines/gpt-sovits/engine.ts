import { type HttpServer, overHttp } from "../remote/http-backend";
import type { Backend } from "../remote/remote-engine";
import { createSharedFolder } from "./shared-folder";

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
  return overHttp(server);
}
