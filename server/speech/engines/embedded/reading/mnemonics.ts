import table from "./mandarin-phonemes.json" with { type: "json" };

interface Rime {
  glide?: string;
  nucleus: string;
  coda?: string;
}

/**
 * eSpeak's Mandarin phoneme mnemonics by pinyin, including finals its own rules lack (iong, erhua, neutral tone).
 * `allophones` apply after some initials and at syllable starts; `rhoticRimes` (erhua) have no coda.
 */
const initials: Record<string, string> = table.initials;
const zeroInitialFinals: Record<string, string> = table.zeroInitialFinals;
const rimes: Record<string, Rime> = table.rimes;
const allophones: Record<string, Rime> = table.allophones;
const rhoticRimes: Record<string, Rime> = table.rhoticRimes;

const tones: Record<string, string> = { 1: "55", 2: "35", 3: "214", 4: "51", 5: "11" };
/** Syllabic nasals. */
const syllabicNasal = /^(ng|n|m|hm|hng)$/;

/** `zhong1` → `ts.'ong55`; null for other than Mandarin syllables. */
export function toMnemonic(pinyin: string): string | null {
  const parts = /^([a-z]+)([1-5])$/.exec(pinyin.toLowerCase().replace(/ü|u:/g, "v").replace("ê", "ei"));
  if (!parts) return null;
  const [, letters = "", tone = "5"] = parts;
  const isRhotic = letters.length > 2 && letters.endsWith("r") && letters !== "er";
  const syllable = splitSyllable(isRhotic ? letters.slice(0, -1) : letters);
  const rime = syllable && findRime(syllable, isRhotic);
  if (!syllable || !rime) return null;
  const { glide = "", nucleus, coda = "" } = rime;
  const stress = tone === "5" ? "" : "'";
  const onset = syllable.initial ? initials[syllable.initial] : onsetOf(syllable.final, glide);
  return `${onset}${glide}${stress}${nucleus}${tones[tone]}${isRhotic ? "r" : coda}`;
}

interface Syllable {
  initial: string;
  final: string;
}

function splitSyllable(letters: string): Syllable | null {
  if (syllabicNasal.test(letters)) return { initial: "", final: "en" };
  const final = zeroInitialFinals[letters];
  if (final) return { initial: "", final };
  if (rimes[letters] && /^[aoe]/.test(letters)) return { initial: "", final: letters };
  const initial = /^(zh|ch|sh)/.test(letters) ? letters.slice(0, 2) : letters.slice(0, 1);
  if (!(initial in initials)) return null;
  const written = letters.slice(initial.length);
  const rounded = /^[jqx]$/.test(initial) && written.startsWith("u") ? `v${written.slice(1)}` : written;
  return { initial, final: { ue: "ve", uen: "un", iou: "iu", uei: "ui" }[rounded] ?? rounded };
}

function findRime({ initial, final }: Syllable, isRhotic: boolean): Rime | null {
  if (isRhotic) {
    if (final === "i" && /^(zh?|ch?|sh?|r)$/.test(initial)) return { nucleus: "@" };
    const rime = rhoticRimes[final];
    if (rime) return rime;
  }
  return allophones[initial + final] ?? rimes[final] ?? null;
}

/** The glide of vowel-initial syllables. */
function onsetOf(final: string, glide: string): string {
  if (/^[vi]/.test(final) && glide !== "j") return "j";
  if (/^u/.test(final) && glide !== "w") return "w";
  return "";
}
