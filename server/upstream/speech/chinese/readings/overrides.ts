interface Override {
  word: string[];
  syllables: string[];
}

/** Where the lexicon is wrong or silent. Words of one line belong to one question. */
const written = `
倒水 dao4 shui3
还给 huan2 gei3
还钱 huan2 qian2
还书 huan2 shu1
教书 jiao1 shu1
种花 zhong4 hua1
种树 zhong4 shu4
炸鸡 zha2 ji1
切菜 qie1 cai4
旋转 xuan2 zhuan3
着急 zhao2 ji2
系鞋带 ji4 xie2 dai4
扎辫子 za1 bian4 zi5
数一数 shu3 yi1 shu3
降服 xiang2 fu2
慢慢地 man4 man4 de5
`;

/** By first character, longest word first. */
export const overrides: ReadonlyMap<string, Override[]> = parse(written);

function parse(lines: string): Map<string, Override[]> {
  const byFirst = new Map<string, Override[]>();
  for (const line of lines.trim().split("\n")) {
    const [word = "", ...syllables] = line.split(" ");
    const first = [...word][0] ?? "";
    byFirst.set(first, [...(byFirst.get(first) ?? []), { word: [...word], syllables }]);
  }
  for (const words of byFirst.values()) words.sort((left, right) => right.word.length - left.word.length);
  return byFirst;
}
