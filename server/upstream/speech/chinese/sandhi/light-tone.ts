import { type Syllable, setTone } from "./syllable";

/** Doubled verbs whose second half is light: 看看, 想想. */
const doubled = new Set([..."看想试听说走坐等聊谈问找玩尝读写笑歇数算查猜比学练念闻摸推拉敲动转逛帮劝管"]);
const kin = new Set([..."妈爸爷奶哥姐弟妹叔伯舅姑公婆姥婶娃宝星猩"]);

export function applyLightTone(run: readonly Syllable[]): void {
  for (const [index, syllable] of run.entries()) {
    const before = run[index - 1];
    if (before?.char !== syllable.char) continue;
    const isTripled = run[index - 2]?.char === syllable.char || run[index + 1]?.char === syllable.char;
    if (isTripled) continue;
    if (doubled.has(syllable.char) || kin.has(syllable.char)) setTone(syllable, 5);
    if (doubled.has(syllable.char) && before.tone === 3 && syllable.lexical === 3) setTone(before, 2);
  }
}
