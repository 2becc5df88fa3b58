import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createDashScope } from "../../../tests/support/speech-servers/dashscope";
import { createMiniMax } from "../../../tests/support/speech-servers/minimax";
import { startVendor } from "../../../tests/support/speech-servers/vendor";
import type { Config } from "../../config";
import {
  examineFilms,
  examineMessages,
  examineSms,
  examineVendorAccounts,
  naturalVoices,
  unsaleableVoices,
  unusableModels,
} from "./operator-checks";

const speaking = (model: string) =>
  ({ engines: [{ name: "sherpa", folder: `/data/models/${model}` }, { name: "embedded" }] }) as Config["speech"];
const free: Config["payments"] = { wechatPay: undefined, alipay: undefined };
const paid = { ...free, alipay: {} } as Config["payments"];

it("the doctor warns of a model that is not cleared for sale while payments are on", () => {
  expect(unsaleableVoices({ speech: speaking("zipvoice"), payments: paid })).toEqual([
    expect.objectContaining({ state: "warn", message: expect.stringMatching(/^zipvoice: .*CC BY-NC/) }),
  ]);
  expect(unsaleableVoices({ speech: speaking("zipvoice"), payments: free })).toEqual([]);
  expect(unsaleableVoices({ speech: speaking("kokoro"), payments: paid })).toEqual([]);
  expect(unsaleableVoices({ speech: speaking("of-my-own"), payments: paid })).toEqual([]);
});

it("the doctor names natural voices where only the embedded engine speaks", () => {
  const simulated = { engines: [{ name: "embedded" }] } as Config["speech"];
  expect(naturalVoices({ speech: simulated })).toMatchObject([{ message: expect.stringContaining("npm run voices") }]);
  expect(naturalVoices({ speech: speaking("zipvoice") })).toEqual([]);
});

it("the doctor says why a folder's model does not speak", () => {
  const folder = mkdtempSync(join(tmpdir(), "kokoro-"));
  for (const name of ["model.onnx", "voices.bin", "tokens.txt"]) writeFileSync(join(folder, name), "");
  const speech = { engines: [{ name: "embedded" }, { name: "sherpa", folder }] } as Config["speech"];
  const message = `${folder} contains another model than ZipVoice: Kokoro, Matcha, VITS and Melo do not speak through sherpa-onnx`;
  expect(unusableModels({ speech })).toEqual([expect.objectContaining({ state: "fail", message })]);
  rmSync(folder, { recursive: true });
});

it.each([
  [{ name: "fish-speech" }, true],
  [{ name: "openai", model: "fishaudio/s2-pro" }, true],
  [{ name: "openai", model: "SWivid/F5-TTS" }, true],
  [{ name: "openai", model: "Qwen/Qwen3-TTS-12Hz-1.7B-Base" }, false],
  [{ name: "cosyvoice" }, false],
])("the doctor knows of %j whether it may be sold", (engine, isWarned) => {
  const speech = { engines: [engine] } as Config["speech"];
  expect(unsaleableVoices({ speech, payments: paid })).toHaveLength(isWarned ? 1 : 0);
  expect(unsaleableVoices({ speech, payments: free })).toEqual([]);
});

it.each([
  [undefined, "ok", "MP4 by WebAssembly, no WebM"],
  ["/nowhere/ffmpeg", "warn", "MP4 by WebAssembly, no WebM"],
])("the doctor names the encoder of films where ffmpeg is %s", async (ffmpegPath, state, message) => {
  expect(await examineFilms({ ffmpegPath })).toEqual([expect.objectContaining({ state, message })]);
});

it("the doctor reports keys, voices and plans of vendors, and what to do about them", async () => {
  const [dash, mini] = [createDashScope(), createMiniMax()];
  const [dashServer, miniServer] = [await startVendor(dash.protocol), await startVendor(mini.protocol)];
  const ask = async (keys: { dash?: string; mini?: string } = {}) => {
    const engines = [
      { name: "dashscope", url: dashServer.url, apiKey: keys.dash ?? dash.protocol.apiKey, model: "m" },
      { name: "minimax", url: miniServer.url, apiKey: keys.mini ?? mini.protocol.apiKey, model: "m" },
      { name: "embedded" },
    ];
    const speech = { engines } as Config["speech"];
    return (await examineVendorAccounts({ speech }, AbortSignal.timeout(10_000))).map(
      ({ state, message, todo = "" }) => `${state} ${message} ${todo}`,
    );
  };
  try {
    expect(await ask()).toEqual([
      expect.stringMatching(/^ok dashscope: the key is right; 0 of 1000 voices/),
      expect.stringMatching(/^ok minimax: the key is right; 0 voices in use; 80 % of speech-2.8-hd left/),
    ]);
    for (let i = 0; i < 950; i++) dash.voices.set(`m-s${i}`, { model: "m", queries: 0, seconds: 10 });
    mini.state.percent = 4;
    expect(await ask()).toEqual([
      expect.stringMatching(/^warn dashscope: .*950 of 1000 voices.*more voices/),
      expect.stringMatching(/^warn minimax: .*4 % of speech-2.8-hd left.*top up/),
    ]);
    expect(await ask({ dash: "sk-hidden", mini: "hidden" })).toEqual([
      expect.stringMatching(/^warn dashscope: (?!.*hidden).*is DASHSCOPE_API_KEY right/),
      expect.stringMatching(/^warn minimax: (?!.*hidden).*is MINIMAX_API_KEY right/),
    ]);
  } finally {
    await dashServer.close();
    await miniServer.close();
  }
  expect(await ask()).toEqual([
    expect.stringMatching(/^warn dashscope: .*firewall/),
    expect.stringMatching(/^warn minimax/),
  ]);
});

it("the doctor claims nothing of text messages that it did not send, and sends a code to the phone it is given", async () => {
  const sms = { provider: "aliyun" } as NonNullable<Config["sms"]>;
  const settings = { sms, mode: "production", role: "all" } as const;
  expect(await examineSms(settings)).toMatchObject({ state: "warn", todo: expect.stringContaining("--sms PHONE") });
  const sent: Array<{ phone: string; code: string }> = [];
  const sender = {
    name: "aliyun",
    showsCodes: false,
    send: async (one: (typeof sent)[number]) => void sent.push(one),
    sendTemplate: async () => {},
  };
  const found = await examineSms({ ...settings, testPhone: "13800001111", sender } as Parameters<typeof examineSms>[0]);
  expect(found).toMatchObject({ state: "ok", message: expect.stringContaining("138****1111") });
  expect(sent).toEqual([{ phone: "13800001111", code: expect.stringMatching(/^\d{6}$/) }]);
  const refusing = { ...sender, send: () => Promise.reject(new Error("InvalidAccessKeyId.NotFound")) };
  const asked = { ...settings, testPhone: "13800001111", sender: refusing } as Parameters<typeof examineSms>[0];
  await expect(examineSms(asked)).rejects.toThrow("InvalidAccessKeyId");
});

it.each([
  [{}, "none to payers: SMS_TEMPLATE_PAID, SMS_TEMPLATE_EXPIRY not set"],
  [{ paidTemplate: "SMS_2" }, "one of two to payers: SMS_TEMPLATE_EXPIRY not set"],
  [
    { paidTemplate: "SMS_2", expiryTemplate: "SMS_3" },
    "payers are told of payments and of the end of their membership",
  ],
])("the doctor tells which messages payers get with the templates %j", (templates, message) => {
  const sms = { provider: "aliyun", ...templates } as NonNullable<Config["sms"]>;
  expect(examineMessages({ sms })).toEqual({ about: "messages", state: "ok", message });
});
