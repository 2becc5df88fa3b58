/** Converts pinyin to eSpeak's Mandarin phoneme mnemonics, including finals its own rules lack (iong, erhua, neutral tone). */
const initials: Record<string, string> = {
  b: "p",
  p: "ph",
  m: "m",
  f: "f",
  d: "t",
  t: "th",
  n: "n",
  l: "l",
  g: "k",
  k: "kh",
  h: "X",
  j: "tS;",
  q: "tS;h",
  x: "S;",
  zh: "ts.",
  ch: "ts.h",
  sh: "s.",
  r: "z.",
  z: "ts",
  c: "tsh",
  s: "s",
};

interface Rime {
  glide?: string;
  nucleus: string;
  coda?: string;
}

const rimes: Record<string, Rime> = {
  a: { nucleus: "A" },
  o: { nucleus: "o" },
  e: { nucleus: "o-" },
  ai: { nucleus: "ai" },
  ei: { nucleus: "ei" },
  ao: { nucleus: "Au" },
  ou: { nucleus: "ou" },
  an: { nucleus: "a", coda: "n" },
  en: { nucleus: "@", coda: "n" },
  ang: { nucleus: "A", coda: "N" },
  eng: { nucleus: "@", coda: "N" },
  ong: { nucleus: "ong" },
  er: { nucleus: "@r" },
  i: { nucleus: "i" },
  ia: { nucleus: "iA" },
  ie: { nucleus: "iE" },
  iao: { glide: "j", nucleus: "Au" },
  iu: { nucleus: "iou" },
  ian: { nucleus: "iE", coda: "n" },
  in: { nucleus: "i", coda: "n" },
  iang: { nucleus: "iA", coda: "N" },
  ing: { nucleus: "i", coda: "N" },
  iong: { glide: "j", nucleus: "ong" },
  io: { nucleus: "io" },
  u: { nucleus: "u" },
  ua: { glide: "w", nucleus: "A" },
  uo: { nucleus: "uo" },
  uai: { nucleus: "uai" },
  ui: { nucleus: "uei" },
  uan: { nucleus: "ua", coda: "n" },
  un: { nucleus: "u@", coda: "n" },
  uang: { glide: "w", nucleus: "A", coda: "N" },
  ueng: { nucleus: "u@", coda: "N" },
  v: { nucleus: "y" },
  ve: { nucleus: "yE" },
  van: { nucleus: "y&", coda: "n" },
  vn: { nucleus: "y@", coda: "n" },
};

/** Finals of zero-initial syllables. */
const zeroInitialFinals: Record<string, string> = {
  yi: "i",
  ya: "ia",
  ye: "ie",
  yao: "iao",
  you: "iu",
  yan: "ian",
  yin: "in",
  yang: "iang",
  ying: "ing",
  yong: "iong",
  yo: "io",
  wu: "u",
  wa: "ua",
  wo: "wo",
  wai: "wai",
  wei: "wei",
  wan: "wan",
  wen: "un",
  wang: "uang",
  weng: "ueng",
  yu: "v",
  yue: "ve",
  yuan: "van",
  yun: "vn",
};

/** Allophones of eSpeak after some initials and at syllable starts. */
const allophones: Record<string, Rime> = {
  wo: { glide: "w", nucleus: "o" },
  wai: { glide: "w", nucleus: "ai" },
  wei: { glide: "w", nucleus: "ei" },
  wan: { glide: "w", nucleus: "A", coda: "n" },
  guan: { glide: "w", nucleus: "a", coda: "n" },
  kuan: { glide: "w", nucleus: "a", coda: "n" },
  tun: { glide: "w", nucleus: "u@", coda: "n" },
  kun: { glide: "w", nucleus: "u@", coda: "n" },
  hun: { glide: "w", nucleus: "u@", coda: "n" },
  shun: { glide: "w", nucleus: "o-", coda: "n" },
  shui: { glide: "w", nucleus: "ei" },
  shuo: { glide: "w", nucleus: "o" },
  zi: { nucleus: "i[" },
  ci: { nucleus: "i[" },
  si: { nucleus: "i[" },
  zhi: { nucleus: "i." },
  chi: { nucleus: "i." },
  shi: { nucleus: "i." },
  ri: { nucleus: "i." },
  de: { nucleus: "@" },
  te: { nucleus: "@" },
  ne: { nucleus: "@" },
  le: { nucleus: "@" },
};

/** Rhotacised rimes, without coda; other rimes only gain the r. */
const rhoticRimes: Record<string, Rime> = {
  ai: { nucleus: "A" },
  an: { nucleus: "A" },
  ang: { nucleus: "A" },
  en: { nucleus: "@" },
  ei: { nucleus: "@" },
  eng: { nucleus: "@" },
  i: { nucleus: "i@" },
  in: { nucleus: "i@" },
  ing: { nucleus: "i@" },
  ian: { nucleus: "iA" },
  iang: { nucleus: "iA" },
  uai: { glide: "w", nucleus: "A" },
  uan: { glide: "w", nucleus: "A" },
  uang: { glide: "w", nucleus: "A" },
  ui: { nucleus: "u@" },
  un: { nucleus: "u@" },
  ueng: { nucleus: "u@" },
  ong: { nucleus: "u" },
  iong: { glide: "j", nucleus: "u" },
  v: { nucleus: "y@" },
  vn: { nucleus: "y@" },
  van: { nucleus: "y&" },
  wan: { glide: "w", nucleus: "A" },
  wai: { glide: "w", nucleus: "A" },
  wei: { nucleus: "u@" },
};

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
