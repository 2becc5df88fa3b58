import { prepareText } from "~server/speech/chinese/prepare";
import cases from "~server/speech/chinese/prepare.cases.json";
import { listReadings } from "~server/speech/chinese/readings/lexicon";
import { createNoise } from "~server/speech/dsp/noise";
import type { SpeechChunk, SpokenUnit } from "~server/speech/engine";
import { checkSpeech } from "~server/speech/speech-check";
import type { Row } from "./row";

type Slip = "missing" | "added" | "wrong" | "near";

const never = new AbortController().signal;
/** The sound's content does not matter: the recogniser of this bench writes down what the engine was made to say. */
const sound: SpeechChunk[] = [{ pcm: new Int16Array(16_000), sampleRate: 16_000 }];
/** Sounds that speakers and recognisers confuse. */
const neighbours: Array<[RegExp, string]> = [
  [/^zh/, "z"],
  [/^ch/, "c"],
  [/^sh/, "s"],
  [/^n(?=[aeiou])/, "l"],
  [/^l(?=[aeiou])/, "n"],
  [/ang$/, "an"],
  [/ing$/, "in"],
  [/eng$/, "en"],
];

/**
 * The self-check on a faulty engine: syllables of all reading cases are left out, added or changed, one in each text, and
 * a recogniser writes what was spoken with other characters of the same sound.
 */
export async function benchSelfCheck(): Promise<Row[]> {
  const random = createNoise(17).uniform;
  const homophones = listHomophones();
  const texts = Object.values(cases)
    .flatMap((group) => Object.keys(group))
    .filter((text) => syllablesOf(prepareText(text).units).length > 1);
  const write = (units: readonly SpokenUnit[]) => units.map((unit) => writeUnit(unit, homophones, random)).join("");
  const hear = async (text: string, heard: string) => {
    const parts = { recogniser: { transcribe: async () => ({ text: heard, language: "zh", words: [] }) } };
    const request = { chunks: sound, text: prepareText(text), signal: never };
    return checkSpeech({ ...parts, prepareText: async (content) => prepareText(content) }, request);
  };
  const share = async (slip: Slip) => {
    let [made, found] = [0, 0];
    for (const text of texts) {
      const { units } = prepareText(text);
      const spoken = slipIn(units, { slip, homophones, random });
      if (!spoken) continue;
      made++;
      if ((await hear(text, write(spoken))).length > 0) found++;
    }
    return { made, percent: (100 * found) / made };
  };
  let [falseAlarms, differentWriting, syllables] = [0, 0, 0];
  for (const text of texts) {
    const { units } = prepareText(text);
    const heard = write(units);
    syllables += syllablesOf(units).length;
    if ((await hear(text, heard)).length > 0) falseAlarms++;
    if (heard !== text) differentWriting++;
  }
  const rows: Row[] = [];
  const names = {
    missing: "missing",
    added: "added",
    wrong: "wrong",
    near: "wrong by a similar sound (zh/z, n/l, ang/an)",
  };
  for (const slip of ["missing", "added", "wrong", "near"] as const) {
    const { made, percent } = await share(slip);
    rows.push({
      name: `${names[slip]} syllables found, of ${made} texts`,
      value: percent,
      unit: "%",
      reference: "≥ 95",
    });
  }
  const percentOf = (count: number) => (100 * count) / texts.length;
  return [
    { name: "baseline: right speech reported by comparing characters", value: percentOf(differentWriting), unit: "%" },
    {
      name: `right speech reported, all ${syllables} syllables written by homophones`,
      value: percentOf(falseAlarms),
      unit: "%",
      reference: "0",
    },
    ...rows,
  ];
}

const syllablesOf = (units: readonly SpokenUnit[]) =>
  units.flatMap((unit, at) => (unit.kind === "syllable" && baseOf(unit) !== "er" ? [at] : []));

/** Without tone and retroflex suffix. */
function baseOf({ pinyin = "" }: SpokenUnit): string {
  const letters = pinyin.replace(/[1-5]$/, "");
  return letters === "er" ? letters : letters.replace(/r$/, "");
}

type Random = () => number;
type Homophones = ReadonlyMap<string, readonly string[]>;

const pick = <Item>(items: readonly Item[], random: Random): Item => items[Math.floor(random() * items.length)] as Item;

/** The 3,755 characters of GB 2312's first level: recognisers write hardly any other. */
function listCommonCharacters(): string[] {
  const decoder = new TextDecoder("gb18030");
  const rows = Array.from({ length: 0xd8 - 0xb0 }, (_, row) => 0xb0 + row);
  const cells = Array.from({ length: 0xff - 0xa1 }, (_, cell) => 0xa1 + cell);
  return rows.flatMap((row) => cells.map((cell) => decoder.decode(Uint8Array.of(row, cell)))).filter(isHan);
}

const isHan = (text: string) => /^\p{Script=Han}$/u.test(text);

/** Common characters with a single reading, by syllable; numbers are read in groups. */
function listHomophones(): Homophones {
  const found = new Map<string, string[]>();
  for (const char of listCommonCharacters()) {
    const readings = listReadings(char);
    if (readings.length !== 1 || /[零一二三四五六七八九十百千万亿两儿点年月号分秒时]/.test(char)) continue;
    const base = (readings[0] ?? "").replace(/[1-5]$/, "");
    found.set(base, [...(found.get(base) ?? []), char]);
  }
  return found;
}

function writeUnit(unit: SpokenUnit, homophones: Homophones, random: Random): string {
  if (unit.kind === "pause") return "，";
  if (unit.kind === "latin") return ` ${unit.text} `;
  const base = baseOf(unit);
  const others = homophones.get(base);
  const suffix = base !== "er" && /r[1-5]$/.test(unit.pinyin ?? "") ? "儿" : "";
  return (others ? pick(others, random) : unit.text.slice(0, 1)) + suffix;
}

interface SlipOptions {
  slip: Slip;
  homophones: Homophones;
  random: Random;
}

/** The units with one fault; null if none of the kind can be made. */
function slipIn(units: readonly SpokenUnit[], { slip, homophones, random }: SlipOptions): SpokenUnit[] | null {
  const places = syllablesOf(units);
  if (slip === "near") {
    const near = places.flatMap((at) => {
      const sounds = nearTo(baseOf(units[at] as SpokenUnit)).filter((base) => homophones.has(base));
      return sounds.map((base) => ({ at, base }));
    });
    if (near.length === 0) return null;
    const { at, base } = pick(near, random);
    return units.with(at, { ...(units[at] as SpokenUnit), pinyin: `${base}1` });
  }
  const at = pick(places, random);
  const unit = units[at] as SpokenUnit;
  if (slip === "missing") return units.toSpliced(at, 1);
  const bases = [...homophones.keys()].filter((base) => base !== baseOf(unit) && base !== "er");
  const stranger: SpokenUnit = { ...unit, pinyin: `${pick(bases, random)}1` };
  return slip === "wrong" ? units.with(at, stranger) : units.toSpliced(at, 0, stranger);
}

const nearTo = (base: string) =>
  neighbours.flatMap(([sound, other]) => (sound.test(base) ? [base.replace(sound, other)] : []));
