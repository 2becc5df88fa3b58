import { readForm } from "./form";
import { parseWav } from "./reference";
import type { ReceivedRequest } from "./server";
import { type VendorProtocol, VendorRefusal, type VendorReply } from "./vendor";

const failed = (status_code: number, status_msg: string): VendorReply => ({
  status: 200,
  body: { base_resp: { status_code, status_msg } },
});
const ok = (body: object = {}): VendorReply => ({
  status: 200,
  body: { ...body, base_resp: { status_code: 0, status_msg: "success" } },
});
const bodyOf = ({ body }: ReceivedRequest) => JSON.parse(body.toString()) as Record<string, unknown>;
/** Beyond 2^53: a client that parses it as a number sends another one. */
const firstFileId = 9_007_199_254_740_993n;

interface VoiceRequest {
  voice_id?: string;
  speed?: number;
}

/**
 * MiniMax's file upload, voice clone, T2A v2 and deletion, written from its API reference. A voice becomes active, and
 * billed, at its first synthesis; `get_voice` lists active ones only.
 */
export function createMiniMax() {
  const files = new Map<string, number>();
  const voices = new Map<string, { isActive: boolean }>();
  const burnt = new Set<string>();
  /** Balance of the plan. */
  const state = { percent: 80 };

  async function upload(request: ReceivedRequest): Promise<VendorReply> {
    const { fields, files: parts } = await readForm(request);
    if (fields.purpose !== "voice_clone" || !parts.file) return failed(2013, "invalid params");
    const { seconds } = parseWav(parts.file.bytes);
    const id = String(firstFileId + BigInt(files.size));
    files.set(id, seconds);
    // Written by hand: a JSON number of all digits.
    return { status: 200, body: JSON.parse(`{"file":{"file_id":"${id}"},"base_resp":{"status_code":0}}`) };
  }

  function clone(request: ReceivedRequest): VendorReply {
    const { voice_id: id } = bodyOf(request) as { voice_id: string };
    const [, fileId = ""] = /"file_id":(\d+)/.exec(request.body.toString()) ?? [];
    const seconds = files.get(fileId);
    if (seconds === undefined) return failed(2013, "invalid params, file_id");
    if (!/^[A-Za-z][A-Za-z0-9_-]{6,254}[A-Za-z0-9]$/.test(id)) return failed(2013, "invalid params, voice_id");
    if (seconds < 10) return failed(2037, "voice duration too short");
    if (voices.has(id) || burnt.has(id)) return failed(2039, "voice clone voice id duplicate");
    voices.set(id, { isActive: false });
    return ok({ input_sensitive: { type: 0 }, demo_audio: "" });
  }

  function deleteVoice(request: ReceivedRequest): VendorReply {
    const id = String(bodyOf(request).voice_id);
    burnt.add(id);
    return voices.delete(id) ? ok({ voice_id: id }) : failed(2042, "you don't have access to this voice_id");
  }

  const calls: Record<string, (request: ReceivedRequest) => VendorReply | Promise<VendorReply>> = {
    "/v1/files/upload": upload,
    "/v1/voice_clone": clone,
    "/v1/files/delete": (request) => {
      const [, fileId = ""] = /"file_id":(\d+)/.exec(request.body.toString()) ?? [];
      return files.delete(fileId) ? ok() : failed(2013, "invalid params");
    },
    "/v1/get_voice": () => {
      const active = [...voices].filter(([, { isActive }]) => isActive);
      return ok({ voice_cloning: active.length > 0 ? active.map(([voice_id]) => ({ voice_id })) : null });
    },
    "/v1/delete_voice": deleteVoice,
    "/v1/token_plan/remains": () =>
      ok({ model_remains: [{ model_name: "speech-2.8-hd", current_interval_remaining_percent: state.percent }] }),
  };

  const protocol: VendorProtocol = {
    apiKey: "mini-key",
    unauthorised: failed(1004, "login fail: Please carry the API secret key"),
    sampleRate: 24_000,
    failures: {
      busy: failed(1002, "rate limit exceeded(RPM)"),
      broken: failed(1000, "unknown error"),
      "refuses-text": failed(1026, "input new_sensitive"),
      "voice-lost": failed(2042, "you don't have access to this voice_id"),
    },
    toEvent: (samples) => ({ data: { audio: samples.toString("hex"), status: 1 }, base_resp: { status_code: 0 } }),
    lastEvent: {
      data: { audio: "", status: 2 },
      extra_info: { usage_characters: 8 },
      base_resp: { status_code: 0 },
    },
    isSpeech: ({ path }) => path === "/v1/t2a_v2",
    answer: (request) =>
      request.path === "/v1/t2a_v2" ? null : (calls[request.path]?.(request) ?? { status: 404, body: {} }),
    read(request) {
      const { text, stream, voice_setting, audio_setting, stream_options } = bodyOf(request);
      const { voice_id: id = "", speed = 1 } = voice_setting as VoiceRequest;
      const voice = voices.get(id);
      if (!voice) throw new VendorRefusal(failed(20132, "invalid samples or voice_id"));
      const isValid =
        stream === true &&
        (stream_options as { exclude_aggregated_audio?: boolean })?.exclude_aggregated_audio === true &&
        (audio_setting as { format: string }).format === "pcm" &&
        speed >= 0.5 &&
        speed <= 2 &&
        String(text).length < 10_000;
      if (!isValid) throw new VendorRefusal(failed(2013, "invalid params"));
      voice.isActive = true;
      return String(text).replace(/\([a-z]+[1-5]\)/g, "字");
    },
  };
  return { protocol, voices, files, state };
}
