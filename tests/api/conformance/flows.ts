import { setTimeout as sleep } from "node:timers/promises";
import { calls } from "~server/contract/calls/table";
import { encodeWav } from "~server/speech/recording/formats/wav";
import { speechLike, toPcm } from "../../support/sounds";
import type { Client } from "./client";

export interface Flow {
  what: string;
  /** Returns null if the check passes. */
  check(client: Client): Promise<string | null>;
}

export const notOffered = "not offered";
const trialMs = 90_000;
const pollMs = 500;

const onePixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

function formOf(bytes: Uint8Array, type: string, fields: Record<string, string> = {}): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append("file", new Blob([new Uint8Array(bytes)], { type }), type.replace("/", "."));
  return form;
}

function soundForm(): FormData {
  const sound = speechLike({ seconds: 6, seed: 1 });
  return formOf(encodeWav(toPcm(sound), sound.sampleRate), "audio/wav");
}

async function checkUpload(client: Client, call: "fileUpload" | "recordingUpload" | "verify", form: FormData) {
  const { status, code, data, reason } = await client.upload(call, form);
  if (status === 404 && code !== 0) return notOffered;
  // Synthetic speech may be refused and a picture may require a login: both are valid answers.
  if (code === 5 || (code === 7 && reason?.startsWith("reference-"))) return null;
  if (code !== 0) return `HTTP ${status}, code ${code}`;
  const read = calls[call].data.safeParse(data);
  return read.success ? null : read.error.message;
}

export const checkPicture: Flow = {
  what: "upload",
  check: (client) =>
    checkUpload(client, "fileUpload", formOf(Buffer.from(onePixel, "base64"), "image/png", { type: "image" })),
};
export const checkRecording: Flow = {
  what: "upload, verdict",
  check: (client) => checkUpload(client, "recordingUpload", soundForm()),
};
export const checkVerify: Flow = {
  what: "upload, answer",
  check: (client) => checkUpload(client, "verify", soundForm()),
};

/** A digital human of the home page has an audio file that supports range requests. */
export const checkTrial: Flow = {
  what: "trial to the sound",
  async check(client) {
    const home = calls.squareHome.data.safeParse((await client.call("squareHome", {})).data);
    const roleId = home.data?.[0]?.roleId;
    if (!roleId) return "no digital human on the home page";
    const created = await client.call("trialCreate", { content: "你好，世界。", roleId });
    const trial = calls.trialCreate.data.safeParse(created.data);
    if (created.code !== 0 || !trial.success) return `HTTP ${created.status}, code ${created.code} on create`;
    const endsAt = Date.now() + trialMs;
    while (Date.now() < endsAt) {
      const { code, data } = await client.call("trialResult", { taskId: trial.data.taskId });
      const result = calls.trialResult.data.safeParse(data);
      if (code !== 0 || !result.success) return `code ${code} on result`;
      if (result.data.status === 3) return `failed: ${result.data.msg}`;
      if (result.data.status === 2) return checkFile(client, result.data.voiceUrl);
      await sleep(pollMs);
    }
    return "not done in time";
  },
};

async function checkFile(client: Client, url: string): Promise<string | null> {
  // The BFF's own client requests files on other hosts; only files of the API's host are requested here.
  if (!url.startsWith("/")) return URL.canParse(url) ? null : `no file URL: ${url}`;
  const whole = await client.file(url);
  const size = (await whole.arrayBuffer()).byteLength;
  if (whole.status !== 200 || size < 100) return `HTTP ${whole.status}, ${size} bytes for the file`;
  const part = await client.file(url, { range: "bytes=10-19" });
  const partSize = (await part.arrayBuffer()).byteLength;
  return part.status === 206 && partSize === 10 ? null : `HTTP ${part.status}, ${partSize} bytes for ten of them`;
}
