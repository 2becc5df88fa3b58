import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeKokoro, readTokenIds } from "../../../../tests/support/kokoro/model";
import hardInputs from "../../chinese/hard-inputs.cases.json";
import { prepareText } from "../../chinese/prepare";
import everyday from "../../chinese/prepare.cases.json";
import type { SpokenUnit } from "../../engine";
import { type KokoroModel, openModel } from "./model";
import { toLatinTokens, toSyllableTokens } from "./phones";
import { splitUtterances, toTokenIds, toTokens } from "./utterances";

const sentences = [everyday, hardInputs].flatMap((groups) =>
  Object.values(groups).flatMap((group) => Object.keys(group)),
);
const latin = () => "lˈæ_t_ɪ_n";
const isSpoken = ({ kind }: SpokenUnit) => kind !== "pause";

describe("the readings of all cases", () => {
  const folder = mkdtempSync(join(tmpdir(), "kokoro-tokens-"));
  let model: KokoroModel;
  beforeAll(async () => {
    model = await openModel(makeKokoro(join(folder, "model")), 1);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it("arrive at the model: every syllable with its tone, and no digit", { timeout: 60_000 }, async () => {
    const readings = new Map<string, string>();
    for (const sentence of sentences) {
      for (const { units } of splitUtterances(prepareText(sentence).units, 1)) {
        const { tokens, spans } = toTokens(units, latin);
        expect(spans.map(({ unit }) => unit)).toEqual(units.filter(isSpoken));
        for (const { from, to, unit } of spans) {
          const written = tokens.slice(from, to).join("");
          if (unit.pinyin) {
            expect(written).toBe(toSyllableTokens(unit.pinyin));
            readings.set(unit.pinyin, written);
          }
        }
        expect(tokens.join("")).not.toMatch(/\d/);
        const tokenIds = toTokenIds(tokens);
        const { samples } = await model.run({ tokenIds, styles: { zf_xiaoni: 1 }, speed: 1, scale: 1, range: 1 });
        expect(readTokenIds(samples)).toEqual([0, ...tokenIds, 0]);
      }
    }
    expect(sentences.length).toBeGreaterThan(1000);
    expect(readings.size).toBeGreaterThan(700);
    // No two readings sound the same.
    expect(new Set(readings.values()).size).toBe(readings.size);
  });
});

describe("utterances", () => {
  const partsOf = (text: string) =>
    splitUtterances(prepareText(text).units, 1).map(({ units }) => units.map((unit) => unit.text).join(""));

  it("are sentences; a long one is cut at a comma, and the first is short", () => {
    expect(partsOf("你好。今天天气很好，我们去公园。")).toEqual(["你好。", "今天天气很好，我们去公园。"]);
    expect(partsOf("今天天气很好，我们一起去公园散步吧，好不好？")).toEqual([
      "今天天气很好，",
      "我们一起去公园散步吧，好不好？",
    ]);
    // No comma within the first fourteen syllables: the first part ends at the next one.
    expect(partsOf("昨天下午我和朋友一起去公园散步，路边的桂花开得很香。")).toEqual([
      "昨天下午我和朋友一起去公园散步，",
      "路边的桂花开得很香。",
    ]);
    const long = partsOf(`好。${"我们一起去公园散步吧，".repeat(8)}`);
    expect(long.every((part) => part.length <= 46)).toBe(true);
  });

  it("end between words where a sentence has no comma", () => {
    const parts = partsOf(
      "我们学校的老师和同学们昨天晚上一起去人民公园看了一场非常精彩的音乐表演以后又去了附近的商店买东西回来",
    );
    expect(parts.length).toBe(2);
    expect(parts[0]?.length).toBeLessThanOrEqual(40);
  });

  it("keep exact pauses", () => {
    const pauses = splitUtterances(prepareText("#0.3#一#0.5#二。").units, 1);
    expect(pauses.map(({ pauseBeforeMs, pauseAfterMs }) => [pauseBeforeMs, pauseAfterMs])).toEqual([
      [300, 500],
      [0, 400],
    ]);
  });

  it("part words by a space, and neither syllables of a word nor letters of an abbreviation", () => {
    const { tokens } = toTokens(prepareText("我们用NBA。").units, (letter) => `ˈ${letter.toLowerCase()}`);
    expect(tokens.join("")).toBe("wo↓mən jʊ↘ŋ ˌnˌbˈa.");
  });
});

describe("tokens", () => {
  it.each([
    ["huar1", "xwa→ɚ"],
    ["er4", "ɚ↘"],
    ["lv4", "ly↘"],
    ["xue2", "ɕɥe↗"],
    ["jun1", "ʨy→n"],
    ["liu2", "ljou↗"],
    ["zhi1", "ꭧɨ→"],
    ["ng2", "ŋ↗"],
    ["de5", "tɤ"],
  ])("of %s", (pinyin, expected) => expect(toSyllableTokens(pinyin)).toBe(expected));

  it("of Latin words are eSpeak's IPA in the model's letters", () => {
    expect(toLatinTokens("ɡ_ˈɪ_t h_ˈʌ_b")).toBe("ɡˈɪt hˈʌb");
    expect(toLatinTokens("dʒ_ˈɑː_v_ə")).toBe("dʒˈɑvə");
  });
});
