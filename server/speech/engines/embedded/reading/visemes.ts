/** eSpeak's IPA to Oculus visemes. */
const phonesOf = {
  PP: "p ph b m",
  FF: "f v",
  TH: "θ ð",
  DD: "t th d ɾ",
  nn: "n l ŋ",
  kk: "k kh g ɡ χ h",
  CH: "tɕ tɕh ɕ ts. ts.h s. tʃ dʒ ʃ ʒ",
  SS: "ts tsh s z",
  RR: "z. ʐ r ɹ ər ɚ",
  ih: "j",
  ou: "w",
};
const consonants = new Map(
  Object.entries(phonesOf).flatMap(([viseme, phones]) => phones.split(" ").map((phone) => [phone, viseme] as const)),
);

const vowels: Array<[RegExp, string]> = [
  [/^[aɑæɐʌ]/, "aa"],
  [/^i[ɑau]/, "aa"],
  [/^o-/, "E"],
  [/^[oɔɒ]|^uo/, "oh"],
  [/^[uyʊ]/, "ou"],
  [/^[iɪ]/, "ih"],
  [/^[eɛəɜ]/, "E"],
];

/** The phone without stress and tone marks. */
export const plainPhone = (ipa: string) => ipa.replace(/[ˈˌː]/g, "");

export function toViseme(ipa: string): string {
  const phone = plainPhone(ipa);
  if (phone === "") return "sil";
  return consonants.get(phone) ?? vowels.find(([shape]) => shape.test(phone))?.[1] ?? "E";
}
