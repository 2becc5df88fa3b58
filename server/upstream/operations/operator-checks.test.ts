import { expect, it } from "vitest";
import type { Config } from "../../config";
import { examineFilms, unsaleableVoices } from "./operator-checks";

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
