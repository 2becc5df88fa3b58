import { describe, expect, it } from "vitest";
import { rankDesigns, readDesign } from "./engines/kokoro/designs";
import { readVoiceWords } from "./voice-words";

describe("a description of a voice", () => {
  it.each([
    ["女声、低沉、慢", { gender: "female", pitch: -1, brightness: -0.6, pace: -1 }],
    ["小男孩", { gender: "male", age: "child" }],
    ["老奶奶，讲故事", { gender: "female", age: "old", liveliness: 0.7 }],
    ["很快的男声", { gender: "male", pace: 1.4 }],
    ["不要太快的男声", { gender: "male", pace: -0.6 }],
    ["磁性大叔", { gender: "male", pitch: -1.5 }],
    ["像妈妈一样温柔", { gender: "female", brightness: -0.7 }],
    ["不要男声", {}],
    ["", {}],
  ])("reads %s", (words, traits) => {
    const read = readVoiceWords(words);
    expect(read.traits).toMatchObject(traits);
    if (words.startsWith("不要男")) expect(read.traits.gender).toBeUndefined();
    expect(read).toMatchObject({ unread: [], asksForPerson: false });
  });

  it("names what it did not use", () => {
    expect(readVoiceWords("四川话，女声")).toMatchObject({ unread: ["四川话"], asksForPerson: false });
  });

  it.each([
    "像周杰伦",
    "周杰伦的声音",
    "模仿特朗普",
    "温柔，像林志玲那样",
    "Taylor Swift",
    "郭德纲那样说评书",
    "克隆 Trump",
    "经理王强",
  ])("refuses a person: %s", (words) => expect(readVoiceWords(words).asksForPerson).toBe(true));

  it.each([
    "女声、低沉、慢，像深夜电台",
    "温柔的女声",
    "高冷御姐",
    "童声",
    "严肃的新闻播音",
    "成熟稳重的女经理",
    "洪亮的男声",
    "温婉、单纯，古风女声",
    "像项目经理那样",
    "东北口音",
  ])("takes no scene or mood for a person: %s", (words) => expect(readVoiceWords(words).asksForPerson).toBe(false));
});

describe("designed voices", () => {
  it("have the gender, the pitch and the pace that were asked for", () => {
    const low = rankDesigns({ gender: "male", pitch: -1, pace: -1 });
    const high = rankDesigns({ gender: "female", pitch: 1, pace: 1 });
    for (const voice of low.slice(0, 6)) {
      expect(voice).toMatchObject({ gender: "male", tempo: 0.9 });
      expect(voice.pitchHz).toBeLessThan(125);
    }
    for (const voice of high.slice(0, 6)) {
      expect(voice).toMatchObject({ gender: "female", tempo: 1.1 });
      expect(voice.pitchHz).toBeGreaterThan(235);
    }
    for (const voice of rankDesigns({ age: "child" }).slice(0, 3)) expect(voice.pitchHz).toBeGreaterThan(260);
  });

  it("differ from their neighbours in their styles", () => {
    for (const traits of [{}, { gender: "female" as const, pitch: -1 }, { age: "child" as const }]) {
      const all = rankDesigns(traits);
      const [one, other, third] = all.map(({ design }) => Object.keys(design.mix?.styles ?? {}).at(-1));
      expect(new Set([one, other, third]).size, JSON.stringify(traits)).toBe(3);
      expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    }
  });

  it("are found again by their id, and nothing else is", () => {
    for (const voice of rankDesigns({ pitch: -1, age: "old" }).slice(0, 20)) {
      expect(readDesign(voice.id)).toEqual(voice);
    }
    for (const id of ["", "0", "9999_0_1", "0_9_1", "0_0_3", "0_0_1; drop", "-1_0_1", "0_-0.25_1"])
      expect(readDesign(id), id).toBeNull();
  });
});
