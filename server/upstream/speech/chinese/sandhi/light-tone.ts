import { lightWords } from "./light-words";
import { type Syllable, setTone } from "./syllable";

/** Doubled words whose second half is light: 看看, 想想, 谢谢, 妈妈. */
const verbs = new Set([..."看想试听说走坐等聊谈问找玩尝读写笑歇数算查猜比学练念闻摸推拉敲动转逛帮劝管谢"]);
const names = new Set([..."妈爸爷奶哥姐弟妹叔伯舅姑公婆姥婶娃宝星猩"]);
/** 不 between a verb and what may come of it. */
const potentials = new Set(
  "对不起 来不及 看不起 了不起 差不多 说不定 舍不得 巴不得 恨不得 由不得 怪不得 见不得 忍不住 禁不住 靠不住 受不了 吃不消 用不着 数不清 说不清 看不见 听不见 看不懂 听不懂 想不到 做不到 找不到 得不到 买不到".split(
    " ",
  ),
);

export function applyLightTone(run: readonly Syllable[]): void {
  for (const [index, syllable] of run.entries()) {
    const before = run[index - 1];
    if (!before) continue;
    if (before.char === syllable.char) lightenDouble(run, index);
    else if (lightWords.has(before.char + syllable.char)) setTone(syllable, 5);
    else if (syllable.char === "不" && potentials.has(`${before.char}不${run[index + 1]?.char}`)) setTone(syllable, 5);
  }
}

function lightenDouble(run: readonly Syllable[], index: number): void {
  const [earlier, before, syllable, after] = [run[index - 2], run[index - 1], run[index], run[index + 1]];
  if (!before || !syllable || earlier?.char === syllable.char || after?.char === syllable.char) return;
  const isVerb = verbs.has(syllable.char);
  if (isVerb || names.has(syllable.char)) setTone(syllable, 5);
  if (isVerb && before.tone === 3 && syllable.lexical === 3) setTone(before, 2);
}
