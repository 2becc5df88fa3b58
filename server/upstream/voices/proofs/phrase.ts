import { randomInt } from "node:crypto";

/** Common words of two characters with one reading each, and their syllables without tones. */
const list = `
苹果 ping guo|电话 dian hua|河流 he liu|星期 xing qi|颜色 yan se|书包 shu bao|火车 huo che|老师 lao shi|学校 xue xiao|早饭 zao fan
天空 tian kong|大海 da hai|小路 xiao lu|衣服 yi fu|水杯 shui bei|地图 di tu|面包 mian bao|牛奶 niu nai|鸡蛋 ji dan|雨伞 yu san
钥匙 yao shi|门口 men kou|窗户 chuang hu|桌子 zhuo zi|椅子 yi zi|电脑 dian nao|手机 shou ji|照片 zhao pian|报纸 bao zhi|故事 gu shi
朋友 peng you|邻居 lin ju|医生 yi sheng|司机 si ji|厨房 chu fang|花园 hua yuan|森林 sen lin|草地 cao di|高山 gao shan|月亮 yue liang
太阳 tai yang|星空 xing kong|云彩 yun cai|下雪 xia xue|春风 chun feng|夏天 xia tian|秋叶 qiu ye|冬季 dong ji|昨天 zuo tian|明年 ming nian
半夜 ban ye|中午 zhong wu|时间 shi jian|钟表 zhong biao|数字 shu zi|颗粒 ke li|方法 fang fa|问题 wen ti|答案 da an|办公 ban gong
会议 hui yi|计划 ji hua|旅行 lv xing|飞机 fei ji|轮船 lun chuan|公路 gong lu|桥梁 qiao liang|城市 cheng shi|乡村 xiang cun|市场 shi chang
商店 shang dian|价格 jia ge|礼物 li wu|玩具 wan ju|足球 zu qiu|跑步 pao bu|游泳 you yong|唱歌 chang ge|跳舞 tiao wu|画画 hua hua
写字 xie zi|读书 du shu|电影 dian ying|节目 jie mu|新闻 xin wen|消息 xiao xi|信封 xin feng|邮票 you piao|眼镜 yan jing|帽子 mao zi
围巾 wei jin|手套 shou tao|皮鞋 pi xie|毛衣 mao yi|裤子 ku zi|毛巾 mao jin|牙刷 ya shua|镜子 jing zi|枕头 zhen tou|被子 bei zi
西瓜 xi gua|葡萄 pu tao|香蕉 xiang jiao|白菜 bai cai|土豆 tu dou|豆腐 dou fu|米饭 mi fan|面条 mian tiao|饺子 jiao zi|热茶 re cha
咖啡 ka fei|果汁 guo zhi|蛋糕 dan gao|糖果 tang guo|味道 wei dao|小猫 xiao mao|黄狗 huang gou|白马 bai ma|山羊 shan yang|兔子 tu zi
蝴蝶 hu die|蜜蜂 mi feng|金鱼 jin yu|乌龟 wu gui|孔雀 kong que|大象 da xiang|熊猫 xiong mao|老虎 lao hu|松树 song shu|竹林 zhu lin
荷花 he hua|玫瑰 mei gui|石头 shi tou|沙滩 sha tan|海浪 hai lang|灯塔 deng ta|图画 tu hua|音乐 yin yue|钢琴 gang qin|鼓声 gu sheng`;

interface PhraseWord {
  text: string;
  syllables: [string, string];
}

const phraseWords: readonly PhraseWord[] = list
  .trim()
  .split(/[|\n]/)
  .map((entry) => {
    const [text = "", first = "", second = ""] = entry.split(" ");
    return { text, syllables: [first, second] };
  });

export const phraseLines = 2;
const wordsPerLine = 5;

type PickIndex = (below: number) => number;

/**
 * Two lines of ten characters to read aloud: five words each, no word twice or in `transcript`, and no word that begins
 * like the previous one ends. 3 × 10²¹ phrases; chosen by the system's secure random numbers.
 */
export function createPhrase(transcript = "", pick: PickIndex = randomInt): string[][] {
  const free = phraseWords.filter(({ text }) => !transcript.includes(text));
  const chosen: PhraseWord[] = [];
  for (let count = 0; count < phraseLines * wordsPerLine; count++) {
    const previous = chosen.at(-1);
    const possible = free.filter((word) => !chosen.includes(word) && (!previous || isUnlike(previous, word)));
    const word = possible[pick(possible.length)];
    if (!word) throw new Error("too few words for a phrase");
    chosen.push(word);
  }
  const texts = chosen.map(({ text }) => text);
  return [texts.slice(0, wordsPerLine), texts.slice(wordsPerLine)];
}

/** The syllables that meet differ in initial and final, so that a listener can tell them apart. */
function isUnlike(before: PhraseWord, after: PhraseWord): boolean {
  const [left, right] = [split(before.syllables[1]), split(after.syllables[0])];
  return left.initial !== right.initial && left.final !== right.final;
}

function split(syllable: string): { initial: string; final: string } {
  const initial = /^(?:[zcs]h|[^aeiouv])?/.exec(syllable)?.[0] ?? "";
  return { initial, final: syllable.slice(initial.length) };
}
