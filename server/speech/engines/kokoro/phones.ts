/**
 * Readings as the model's tokens: one IPA character each. Its authors trained on the notation of misaki 0.9: tones are
 * arrows after the vowel, the neutral tone has none.
 */
const tokenIds: ReadonlyMap<string, number> = new Map(
  (
    ';1 :2 ,3 .4 !5 ?6 —9 …10 "11 (12 )13 “14 ”15 \u030317 ʣ18 ʥ19 ʦ20 ʨ21 ᵝ22 ꭧ23 A24 I25 O31 Q33 S35 T36 W39 Y41 ᵊ42 ' +
    "a43 b44 c45 d46 e47 f48 h50 i51 j52 k53 l54 m55 n56 o57 p58 q59 r60 s61 t62 u63 v64 w65 x66 y67 z68 ɑ69 ɐ70 ɒ71 " +
    "æ72 β75 ɔ76 ɕ77 ç78 ɖ80 ð81 ʤ82 ə83 ɚ85 ɛ86 ɜ87 ɟ90 ɡ92 ɥ99 ɨ101 ɪ102 ʝ103 ɯ110 ɰ111 ŋ112 ɳ113 ɲ114 ɴ115 ø116 " +
    "ɸ118 θ119 œ120 ɹ123 ɾ125 ɻ126 ʁ128 ɽ129 ʂ130 ʃ131 ʈ132 ʧ133 ʊ135 ʋ136 ʌ138 ɣ139 ɤ140 χ142 ʎ143 ʒ147 ʔ148 ˈ156 ˌ157 " +
    "ː158 ʰ162 ʲ164 ↓169 →171 ↗172 ↘173 ᵻ177"
  )
    .split(" ")
    .map((entry) => [...entry])
    .map(([token = "", ...id]): [string, number] => [token, Number(id.join(""))])
    .concat([[" ", 16]]),
);

/** The number of a token; undefined if the model has none. */
export const tokenId = (token: string): number | undefined => tokenIds.get(token);

const initials: Readonly<Record<string, string>> = {
  ...{ b: "p", p: "pʰ", m: "m", f: "f", d: "t", t: "tʰ", n: "n", l: "l", g: "k", k: "kʰ", h: "x" },
  ...{ j: "ʨ", q: "ʨʰ", x: "ɕ", zh: "ꭧ", ch: "ꭧʰ", sh: "ʂ", r: "ɻ", z: "ʦ", c: "ʦʰ", s: "s" },
};

/** Finals as written in full (iou, uei, uen; v for ü); `0` is the place of the tone. */
const finals: Readonly<Record<string, string>> = {
  ...{ a: "a0", ai: "ai0", an: "a0n", ang: "a0ŋ", ao: "au0", e: "ɤ0", ei: "ei0", en: "ə0n", eng: "ə0ŋ", er: "ɚ0" },
  ...{ i: "i0", ia: "ja0", ian: "jɛ0n", iang: "ja0ŋ", iao: "jau0", ie: "je0", in: "i0n", ing: "i0ŋ", iong: "jʊ0ŋ" },
  ...{ iou: "jou0", o: "wo0", ong: "ʊ0ŋ", ou: "ou0", u: "u0", ua: "wa0", uai: "wai0", uan: "wa0n", uang: "wa0ŋ" },
  ...{ uei: "wei0", uen: "wə0n", ueng: "wə0ŋ", uo: "wo0", v: "y0", van: "ɥɛ0n", ve: "ɥe0", vn: "y0n" },
};

/** Syllables that the tables of initials and finals do not spell. */
const interjections: Readonly<Record<string, string>> = {
  ...{ o: "ɔ0", io: "jɔ0", ê: "ɛ0", m: "m0", n: "n0", ng: "ŋ0", hm: "hm0", hng: "hŋ0" },
};

const tones = ["", "→", "↗", "↓", "↘", ""];
const rhoticSuffix = "ɚ";

/**
 * The tokens of a syllable of our front end ("huar1", "lv4"); null if it is none. A rhotic suffix follows the syllable:
 * of the ways tried only this one is heard.
 */
export function toSyllableTokens(pinyin: string): string | null {
  const [, letters = "", suffix = "", tone = ""] =
    /^(er|[a-zêü:]+?)(r?)([1-5])$/.exec(pinyin.replace(/u:|ü/g, "v")) ?? [];
  const spelled = interjections[letters.replace(/^y/, "i")] ?? spell(letters);
  if (!spelled) return null;
  return spelled.replace("0", tones[Number(tone)] ?? "") + (suffix ? rhoticSuffix : "");
}

function spell(letters: string): string | null {
  const [, initial = "", rest = ""] = /^(zh|ch|sh|[bpmfdtnlgkhjqxrzcs]?)(.*)$/.exec(letters) ?? [];
  const final = writeInFull(initial, rest);
  if (final === "i" && /^(zh|ch|sh|r|z|c|s)$/.test(initial)) return `${initials[initial]}ɨ0`;
  const spelled = finals[final];
  return spelled === undefined ? null : (initials[initial] ?? "") + spelled;
}

/** Undoes the abbreviations of pinyin: you → iou, jun → jvn, gui → guei. */
function writeInFull(initial: string, final: string): string {
  if (/^[jqx]$/.test(initial)) return final.replace(/^u/, "v").replace(/^iu$/, "iou");
  return final
    .replace(/^yu/, "v")
    .replace(/^yi?/, "i")
    .replace(/^wu?/, "u")
    .replace(/^iu$/, "iou")
    .replace(/^ui$/, "uei")
    .replace(/^un$/, "uen");
}

/**
 * eSpeak's American IPA as tokens: without joiners and length marks, words apart by a space. What the model has no token
 * for is left out.
 */
export function toLatinTokens(ipa: string): string {
  const written = ipa
    .replace(/_|ː|\u0329|\u200d/gu, "")
    .replace(/r/g, "ɹ")
    .replace(/g/g, "ɡ");
  return [...written.trim().replace(/\s+/g, " ")].filter((token) => tokenIds.has(token)).join("");
}

const visemeTokens = {
  PP: "pbm",
  FF: "fv",
  TH: "θð",
  DD: "tdɾ",
  nn: "nlŋ",
  kk: "kɡxhɣ",
  CH: "ʨɕꭧʂʃʒʤʧ",
  SS: "szʦʣ",
  RR: "ɹɻɚ",
  aa: "aɑæɐʌ",
  E: "eɛəɤɜ",
  ih: "iɪɨjᵻ",
  oh: "oɔɒ",
  ou: "uʊyɥw",
};
const visemes: ReadonlyMap<string, string> = new Map(
  Object.entries(visemeTokens).flatMap(([viseme, tokens]) => [...tokens].map((token) => [token, viseme] as const)),
);

/** The mouth's shape for a token; undefined for tones, stress, aspiration and punctuation. */
export const visemeOf = (token: string): string | undefined => visemes.get(token);
