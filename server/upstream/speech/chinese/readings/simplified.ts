import { Converter } from "opencc-js/t2cn";

/** The 6,763 Chinese characters of GB 2312; a character outside it may be a traditional one. */
const commonSimplified = new Set(decodeRows());
const han = /\p{Script=Han}/u;
let converters: { plain: (text: string) => string; taiwan: (text: string) => string } | undefined;

/**
 * The same characters in simplified form, one for one, so that readings can be looked up: 銀行行長 → 银行行长. Text
 * without traditional characters is returned as it is, and then the conversion tables are not even loaded.
 */
export function toSimplified(characters: readonly string[]): readonly string[] {
  if (characters.every((character) => commonSimplified.has(character) || !han.test(character))) return characters;
  converters ??= { plain: Converter({ from: "t", to: "cn" }), taiwan: Converter({ from: "tw", to: "cn" }) };
  const text = characters.join("");
  if (converters.plain(text) === text) return characters;
  const simplified = [...converters.taiwan(text)];
  return simplified.length === characters.length ? simplified : characters;
}

function* decodeRows(): Generator<string> {
  const decoder = new TextDecoder("gbk");
  for (let row = 0xb0; row <= 0xf7; row++) {
    for (let cell = 0xa1; cell <= 0xfe; cell++) yield decoder.decode(Uint8Array.of(row, cell));
  }
}
