import type { ReadToken } from "../readings/read";
import { applyThirdTone, applyYiBu, type Syllable, setTone } from "./tone-changes";

/** Applies erhua, neutral tone and tone sandhi to each run of characters between pauses and Latin words. */
export function applySandhi(tokens: readonly ReadToken[]): ReadToken[] {
  const result: ReadToken[] = [];
  let run: ReadToken[] = [];
  for (const token of tokens) {
    if (token.kind === "char") {
      run.push(token);
      continue;
    }
    result.push(...applyToRun(run), token);
    run = [];
  }
  return [...result, ...applyToRun(run)];
}

function applyToRun(run: readonly ReadToken[]): ReadToken[] {
  const tokens = mergeErhua(run);
  const syllables = toSyllables(tokens);
  applyNeutralTone(syllables);
  applyYiBu(syllables);
  applyThirdTone(syllables);
  return tokens.map((token, index) => ({ ...token, pinyin: `${syllables[index]?.letters}${syllables[index]?.tone}` }));
}

function toSyllables(tokens: readonly ReadToken[]): Syllable[] {
  const ends: number[] = [];
  for (let at = tokens.length - 1; at >= 0; at--) {
    ends[at] = tokens[at]?.word === tokens[at + 1]?.word ? (ends[at + 1] ?? at + 1) : at + 1;
  }
  let start = 0;
  return tokens.map(({ text, pinyin = "", isFixed, word }, index) => {
    if (word !== tokens[index - 1]?.word) start = index;
    const tone = Number(pinyin.at(-1));
    const place = { wordStart: start, wordEnd: ends[index] ?? index + 1 };
    return { char: text, letters: pinyin.slice(0, -1), lexicalTone: tone, tone, isFixed, ...place };
  });
}

/** After these characters 儿 is a separate syllable: 女儿, 婴儿, 婉儿. */
const fullSyllableAfter = new Set([..."女婴幼孤健男宠少胎小妻患育托产血弃能运侄潮浪生婉雪雀麟娇痴盲聋仔吾我犬"]);
const fullSyllableBefore = new Set([..."子童女歌媳孙戏科时茶化郎曹皇臣"]);

/** Merges a rhotacising 儿 into the syllable before it: 花儿 becomes one unit, huar1. */
export function mergeErhua(run: readonly ReadToken[]): ReadToken[] {
  const joined: ReadToken[] = [];
  for (const [index, token] of run.entries()) {
    const last = joined.at(-1);
    const isRhotic = last && token.text === "儿" && !token.isFixed && canMerge(last, token);
    if (isRhotic && !fullSyllableAfter.has(last.text) && !fullSyllableBefore.has(run[index + 1]?.text ?? "")) {
      last.pinyin = last.pinyin?.replace(/([1-5])$/, "r$1");
      last.length += token.length;
    } else joined.push({ ...token });
  }
  return joined;
}

/** Syllables of an expanded number share a span and cannot absorb the next character. */
function canMerge(last: ReadToken, er: ReadToken): boolean {
  const isWritten = last.length === last.text.length && last.offset + last.length === er.offset;
  return isWritten && !last.pinyin?.includes("r", 1);
}

/** Reduplicated words with a neutral second syllable: 看看, 想想, 谢谢, 妈妈. */
const reduplicatedVerbs = new Set([..."看想试听说走坐等聊谈问找玩尝读写笑歇数算查猜比学练念闻摸推拉敲动转逛帮劝管谢"]);
const reduplicatedNouns = new Set([..."妈爸爷奶哥姐弟妹叔伯舅姑公婆姥婶娃宝星猩"]);
/** Potential complements, in which 不 is neutral. */
const potentials = new Set(
  "对不起 来不及 看不起 了不起 差不多 说不定 舍不得 巴不得 恨不得 由不得 怪不得 见不得 忍不住 禁不住 靠不住 受不了 吃不消 用不着 数不清 说不清 看不见 听不见 看不懂 听不懂 想不到 做不到 找不到 得不到 买不到".split(
    " ",
  ),
);

function applyNeutralTone(run: readonly Syllable[]): void {
  for (const [index, syllable] of run.entries()) {
    const before = run[index - 1];
    if (!before) continue;
    if (before.char === syllable.char) neutraliseReduplication(run, index);
    else if (neutralToneWords.has(before.char + syllable.char) && !crossesWords(run, index)) setTone(syllable, 5);
    else if (syllable.char === "不" && potentials.has(`${before.char}不${run[index + 1]?.char}`)) setTone(syllable, 5);
  }
}

/** Whether a syllable and the one before it belong to two words, one of them longer: 种 + 子弹 is not 种子. */
function crossesWords(run: readonly Syllable[], index: number): boolean {
  const [before, syllable] = [run[index - 1], run[index]];
  if (!before || !syllable || before.wordEnd > index) return false;
  return before.wordEnd - before.wordStart > 1 || syllable.wordEnd - syllable.wordStart > 1;
}

function neutraliseReduplication(run: readonly Syllable[], index: number): void {
  const [earlier, before, syllable, after] = [run[index - 2], run[index - 1], run[index], run[index + 1]];
  if (!before || !syllable || earlier?.char === syllable.char || after?.char === syllable.char) return;
  const isVerb = reduplicatedVerbs.has(syllable.char);
  if (isVerb || reduplicatedNouns.has(syllable.char)) setTone(syllable, 5);
  if (isVerb && before.tone === 3 && syllable.lexicalTone === 3) setTone(before, 2);
}

/** Words whose last syllable is neutral although the lexicon gives it a tone. */
const neutralToneWords: ReadonlySet<string> = new Set(
  (
    "东西 个子 种子 作坊 明白 朋友 谢谢 厉害 先生 学生 早上 晚上 时候 衣服 葡萄 漂亮 告诉 认识 消息 休息 意思 事情 眼睛 耳朵 头发 豆腐 萝卜 姑娘 太阳 月亮 星星 清楚 " +
    "舒服 便宜 暖和 客气 热闹 麻烦 商量 打听 收拾 窗户 玻璃 力气 脾气 福气 运气 石头 木头 骨头 馒头 枕头 舌头 指头 拳头 罐头 锄头 斧头 砖头 念头 苗头 甜头 " +
    "苦头 丫头 里头 外头 上头 前头 后头 地方 故事 名字 钥匙 扫帚 芝麻 蘑菇 棉花 庄稼 牲口 狐狸 骆驼 蛤蟆 苍蝇 蚂蚱 丈夫 亲戚 媳妇 闺女 大夫 师傅 徒弟 " +
    "答应 招呼 吆喝 咳嗽 打扮 耽误 糊涂 结实 老实 聪明 凉快 痛快 勤快 干净 利索 模糊 含糊 马虎 稀罕 秀气 阔气 " +
    "和尚 道士 护士 祖宗 皇上 娘娘 奴才 街坊 伙计 掌柜 裁缝 木匠 铁匠 胳膊 脑袋 嘴巴 尾巴 下巴 指甲 屁股 眉毛 粮食 点心 烧饼 包袱 行李 灯笼 " +
    "篱笆 算盘 抽屉 窟窿 疙瘩 动静 规矩 买卖 生意 笑话 主意 心思 本事 关系 学问 见识 记性 活泼 折腾 琢磨 嘀咕 唠叨 嘟囔 哆嗦 打发 对付 应付 " +
    "体面 厚道 自在 在乎 似的 妥当 委屈 冤枉 机灵 能耐 随和 别扭 扎实 踏实 称呼 比方 风筝 高粱 戒指 累赘 玫瑰 琵琶"
  ).split(" "),
);
