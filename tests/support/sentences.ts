/** Sentences with Latin words and numbers; eSpeak changes its language within them. */
const withLatin = [
  "NBA总决赛G7将在北京时间8:30打响。",
  "iPhone 16 Pro Max起售价9999元，提供256GB、512GB和1TB三种容量。",
  "快递单号SF1390275839216已到丰巢柜",
  "我的 Wi-Fi 密码是 abc123，别告诉 Tom。",
  "这台 MacBook 有 16GB 内存，跑 Python 很快。",
  "请把 PPT 发到 li.hua@example.com，谢谢！",
  "CEO 和 CTO 下午三点开 Zoom 会。",
  "他在 B 站看了一部 BBC 的纪录片。",
] as const;

const plain = [
  "你好，今天天气很好。",
  "昨天晚上我和朋友一起去看了一场精彩的足球比赛。",
  "春天来了，公园里的花都开了，孩子们在草地上奔跑。",
  "你吃饭了吗？",
  "快看，那边有一只小狗！",
  "这儿的豆汁儿，您喝得惯吗？",
] as const;

const [people, things, places] = [
  ["我", "小李", "她妈妈", "Tom", "那位老师", "客服 Amy"],
  ["咖啡", "5G 手机", "两张 VIP 票", "USB 线", "三斤苹果", "一本书"],
  ["超市", "KTV", "北京南站", "T3 航站楼", "学校门口", "A 座 12 层"],
] as const;

/** Repeatable numbers in [0, 1). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** `count` everyday sentences in shuffled order: a third of them fixed and repeated, the others composed. */
export function mixedSentences(count: number): string[] {
  const random = createRandom(41);
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
  const compose = () =>
    pick([
      () => `${pick(people)}在${pick(places)}买了${pick(things)}，花了${Math.floor(random() * 2000)}元。`,
      () =>
        `${pick(places)}离这里还有${(random() * 30).toFixed(1)}km，${pick(people)}${Math.floor(random() * 24)}点到。`,
      () => `订单${Math.floor(random() * 1e9)}里有${pick(things)}和${pick(things)}，请${pick(people)}签收！`,
      () => `${pick(people)}问：${pick(things)}在${pick(places)}吗？`,
    ])();
  const fixed = [...withLatin, ...plain];
  const sentences = Array.from({ length: count }, (_, i) =>
    i % 3 === 0 ? (fixed[(i / 3) % fixed.length] as string) : compose(),
  );
  for (let i = sentences.length - 1; i > 0; i--) {
    const other = Math.floor(random() * (i + 1));
    [sentences[i], sentences[other]] = [sentences[other] as string, sentences[i] as string];
  }
  return sentences;
}
