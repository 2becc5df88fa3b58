import { charactersFree, charactersSvip, charactersVip, monthlyCharacters, trialMax } from "~server/contract/limits";
import { formatCount, formatYuan } from "./format";

export const heroCopy = {
  before: "念一句话，",
  lead: "就有",
  accent: "你的声音",
  end: "。",
  headline: "念一句话，就有你的声音。",
  /** A role of the square; its preview says the headline first. */
  speaker: "lin-xiaoman",
  spoken: "念一句话，就有你的声音。先别划走，今天就教你！",
  listen: (name: string) => `听${name}说`,
  sentence: "录下十秒，写一段文字，马上听到像你的声音念出来。不用安装，不用登录。",
  /** By the engine that speaks; said beside the promise. */
  honest: { embedded: "像你的音高、音色和语速，由声学特征模拟。" } as Record<string, string | undefined>,
  facts: [
    { figure: `${trialMax} 次`, meaning: "不登录就能试" },
    { figure: `${charactersFree} 字`, meaning: "每次最多" },
  ],
  labelFact: { figure: "AI 标识", meaning: "随每个文件" },
} as const;

export const trialCopy = {
  label: "试用声音克隆",
  ordinals: ["一", "二", "三"],
  voice: {
    heading: "选一个声音",
    label: "声音来源",
    sources: { record: "录音", upload: "上传音频", sample: "示例声音" },
    hints: { record: "念完下面这句即可", upload: "一个人说话，越干净越像", sample: "选一个，直接用" },
    samples: "示例声音",
    noSamples: "暂时没有示例声音，请稍后刷新，或先录一句。",
    listen: (name: string) => `试听${name}`,
    missing: "还没有选声音，请点一个。",
    mine: "我的声音",
  },
  text: {
    heading: "写一段文字",
    label: "要说的文字",
    placeholder: "写下想听到的话",
    examples: [
      { label: "短视频开场", text: "大家好，欢迎来到我的频道，今天带你逛一逛清晨的菜市场。" },
      { label: "课文朗读", text: "山坡上的桃花开了，一阵风吹来，花瓣落在溪水里，慢慢漂远了。" },
      { label: "店铺促销", text: "各位街坊，本周六全场八折，买满一百元再送一袋新米，欢迎来逛！" },
    ],
    count: (used: number) => `${used} / ${charactersFree}`,
    countAnnouncement: (used: number) => `已写 ${used} 字，最多 ${charactersFree} 字`,
    over: (excess: number) => `超出 ${excess} 字，删减后才能生成。`,
    empty: "请先写一句想听到的话，或者点一个例子。",
  },
  go: "立即克隆",
  usedUp: { visitor: "登录后继续", member: "开通会员后继续" },
  again: "再听一遍",
  working: "正在生成",
  left: (left: number, max: number = trialMax) => `剩余试用 ${left} / ${max}`,
  kept: "录音 24 小时后自动删除",
  terms: "服务条款",
  unlimited: "会员不限次数",
} as const;

export const trialResultCopy = {
  heading: "结果",
  bar: "生成进度",
  sending: "正在上传录音",
  starting: "正在准备",
  queued: (before: number) => `前面还有 ${before} 个任务`,
  learning: "正在学习声音",
  speaking: (done: number, total: number) => (total > 1 ? `已念好 ${done} 段，共 ${total} 段` : "正在念"),
  done: "生成完成",
  play: "播放",
  pause: "暂停",
  download: (format: string) => `下载 ${format}`,
  again: "再来一句",
  save: "保存为数字人",
  retry: "重试",
  inputsKept: "录音和文字都已保留。",
  offline: "网络异常",
} as const;

export const featuredRolesCopy = {
  heading: "先听听他们",
  sentence: "点一下就能听，喜欢就直接用。",
  use: "用这个声音",
  chooseVoice: (name: string) => `用这个声音：${name}`,
  empty: "数字人正在准备，请稍后刷新；试用不受影响。",
  failed: { heading: "数字人加载失败", action: "重试" },
  more: "去广场查看更多",
} as const;

/** `speakers` select the roles whose descriptions contain them; a use without its speakers is left out. */
export const usesCopy = {
  heading: "不只是一句话",
  sentence: "点一下画面，听听看。",
  list: [
    {
      kind: "cast",
      name: "多角色配音",
      speakers: ["有声书", "说书", "绘本"],
      sentence: "有声书、广播剧、课文对话：一个角色一个声音，整段一次配完，导出音频和字幕。",
      action: "去配音",
    },
    {
      kind: "film",
      name: "做成视频",
      speakers: ["短视频"],
      sentence: "口播、讲解：声音、会开口的画像和字幕合成一个视频，下载就能发。",
      action: "去生成",
    },
    {
      kind: "portrait",
      name: "照片开口说话",
      speakers: ["课堂"],
      sentence: "示例是一张画像。换成你的照片，对好嘴，同样跟着声音开口。",
      action: "新建数字人",
    },
  ],
} as const;

export const howItWorksCopy = {
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
      sentence: "把念出来的声音调成你的音高和音色，听着像你。录音越干净，越像。",
    },
  ],
} as const;

export const tiersCopy = {
  heading: "够用就好，需要再加",
  sentence: "先免费试用，满意再开通。",
  link: "查看全部会员权益",
  free: "¥0",
  monthly: (fen: number) => `${formatYuan(fen)} / 月`,
  list: [
    {
      name: "免费试用",
      lines: [`${trialMax} 次，不用登录`, `每次最多 ${charactersFree} 字`, "下载 MP3 和 WAV"],
      go: "去试一句",
    },
    {
      name: "普通会员",
      lines: [
        "声音数字人、声音角色库不限量",
        `每次最多 ${charactersVip} 字`,
        `每月 ${formatCount(monthlyCharacters.vip)} 字克隆`,
        "一对一支持",
      ],
      go: "开通普通会员",
    },
    {
      name: "专业会员",
      lines: [
        `每次最多 ${formatCount(charactersSvip)} 字`,
        `每月 ${formatCount(monthlyCharacters.svip)} 字克隆`,
        "语气参数与参考音频语气",
        "快速生成通道",
      ],
      go: "开通专业会员",
    },
  ],
} as const;
