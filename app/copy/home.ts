import { charactersFree, charactersSvip, charactersVip, trialMax } from "~server/contract/limits";
import { formatCount } from "./format";

export const hero = {
  before: "念一句话，",
  lead: "就有",
  accent: "你的声音",
  end: "。",
  sentence: "录下十秒，写一段文字，马上听到用这个声音说出来的样子。不用安装，不用登录。",
  facts: [
    { figure: `${trialMax} 次`, meaning: "不登录就能试" },
    { figure: `${charactersFree} 字`, meaning: "每次最多" },
  ],
  labelFact: { figure: "AI 标识", meaning: "随每个文件" },
} as const;

export const people = {
  heading: "先听听他们",
  sentence: "点一下就能听，喜欢就直接用。",
  use: "用这个声音",
  empty: "数字人正在准备，稍后刷新就能看到；上面的试用不受影响。",
  more: "去广场看更多",
} as const;

export const how = {
  heading: "它是怎么做到的",
  ordinals: ["一", "二", "三"],
  steps: [
    {
      title: "听你怎么说话",
      sentence: "从录音里量出音高、音色、气息和语速。念固定的句子，量得更准。",
    },
    {
      title: "读懂要说的文字",
      sentence: "断句、多音字、数字和日期先读对，再按普通话的声调念出来。",
    },
    {
      title: "换上你的声音",
      sentence: "把念出来的声音调成你的音高和音色。它是声学特征的模拟，像你，但不等于你。",
    },
  ],
} as const;

export const tiers = {
  heading: "够用就好，需要再加",
  sentence: "先免费试，满意了再决定。",
  link: "看完整的会员权益",
  list: [
    { name: "免费试用", lines: [`${trialMax} 次，不用登录`, `每次最多 ${charactersFree} 字`, "下载 MP3 和 WAV"] },
    {
      name: "普通会员",
      lines: ["声音数字人和声音库不限个数", `每次最多 ${charactersVip} 字`, "每月 50,000 字克隆", "一对一支持"],
    },
    {
      name: "专业会员",
      lines: [
        `每次最多 ${formatCount(charactersSvip)} 字`,
        "每月 100,000 字克隆",
        "语气参数与参考音频语气",
        "快速生成通道",
      ],
    },
  ],
} as const;
