import { type Agent, FormData, request } from "undici";
import { encodeWav } from "~server/speech/recording/formats/wav";
import type { Product } from "../support/product";
import { speechLike, toPcm } from "../support/sounds";

interface Asking {
  headers: Record<string, string>;
  dispatcher: Agent;
}

/** Uploads a visitor's recording of 5 MB to the api and returns its address. */
export async function uploadSound(api: Product, { headers, dispatcher }: Asking): Promise<string> {
  const sound = speechLike({ seconds: 58, sampleRate: 48_000, seed: 1 });
  const form = new FormData();
  form.append("file", new Blob([encodeWav(toPcm(sound), sound.sampleRate)], { type: "audio/wav" }), "long.wav");
  const init = { method: "POST" as const, headers, body: form, dispatcher };
  const answer = await request(`${api.url}/api/v1/file/uploadCustom`, init);
  const { data, msg } = (await answer.body.json()) as { data: { voicePath: string } | null; msg: string };
  if (!data) throw new Error(`the recording was refused: ${msg}`);
  return data.voicePath;
}
