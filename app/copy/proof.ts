import type { ProofFault } from "~server/contract/calls/proofs";
import { referenceLeastSeconds } from "~server/contract/limits";
import { formatClock } from "./format";

/** Texts of the proof of a voice: a prompt read aloud by the person of the reference recording. */
export const proofCopy = {
  title: "验证声音",
  description: "请录音里的本人照着念一遍，大约 15 秒。请找个安静的地方，用平常说话的声音。",
  toPublishFirst: "公开到广场前，先验证这是本人的声音。",
  close: "关闭",
  prompt: "请念这三行",
  loading: "正在准备验证句",
  listen: "听一遍怎么念",
  listening: "停止朗读",
  unheard: "暂时不能朗读，请直接照着念。",
  start: "开始录音",
  asking: "请允许使用麦克风",
  stop: "念完了",
  assessing: "正在处理录音",
  judging: "正在核对",
  judgingHint: "一般十几秒，人多时会久一些。关掉页面也会继续核对。",
  validFor: (seconds: number) => `${formatClock(seconds)} 后换一句`,
  expired: "这句话过期了，请换一句再念。",
  triesLeft: (count: number) => `还可以念 ${count} 次`,
  uncounted: "这次不计次数。",
  upload: "上传录音",
  uploadHint: "在别的设备上念好，选择音频文件",
  another: "换一句再念",
  retry: "重试",
  again: "换一段录音重新创建",
  shortReference: "参考录音里说话的时间不到 8 秒，无法验证。请换一段长一些的录音重新创建。",
  pausedHour: "请一小时后换一句再念。",
  unknown: "这次没有核对成功。请换一句再念。",
  paused: (minutes: number) =>
    minutes < 90
      ? `两次都没有通过，请 ${minutes} 分钟后再试。`
      : `没有通过的次数多了，请 ${Math.ceil(minutes / 60)} 小时后再试。`,
  toSpeaker: "录音不是你本人的？回到数字人页面，用“请本人授权”发一个链接。",
  passed: "声音与录音相近，验证通过。",
  passedTitle: "验证通过",
  toPublish: "继续公开到广场",
  done: "完成",
  review: "请人工审核",
  reviewHint: "审核员会听这段录音和参考录音，通常三天内有结果，显示在数字人的页面上。",
  reviewAsked: "已提交人工审核。通常三天内有结果，期间可以照常使用，暂时不能公开。",
  note: "验证用来减少误用和冒用，不是身份认证。录音只用于核对，通过后与授权一起保存。",
  announcements: { recording: "开始录音，请念三行验证句", ready: "验证句准备好了" },
} as const;

/** One sentence for a proof's fault. `no`: judged and refused; otherwise it was unclear. */
export function proofFaultSentence(reason: ProofFault, outcome: string): string {
  if (outcome === "unclear" && reason === "words") return "没有听清念的内容。请慢一点，一个字一个字念清楚。";
  if (outcome === "unclear" && reason === "speaker")
    return "还不能确定是同一个人的声音。请用录参考录音的那台设备再念一遍。";
  if (outcome === "unclear" && reason === "synthetic")
    return "停顿里一点声音都没有，不像对着麦克风念的。请关掉降噪，由本人对着麦克风再念一遍；确实是现场念的，也可以请人工审核。";
  return faultSentences[reason];
}

const faultSentences: Record<ProofFault, string> = {
  "too-short": "说话的时间不到 5 秒。请从头到尾念完三行。",
  noisy: "太吵了。请换个安静的地方再念一遍。",
  clipped: "声音太大，破音了。请离麦克风远一点再念一遍。",
  music: "听到了音乐。请关掉音乐再念一遍。",
  "phone-band": "听起来是电话音质。请用手机或电脑的麦克风直接录。",
  words: "念的不是这句话。请照着新的一句，从头念到尾。",
  speaker: "听起来不是同一个人。请由参考录音里的本人来念。",
  copied: "和参考录音里的片段太像。请对着麦克风重新念一遍；确实是现场念的，也可以请人工审核。",
  synthetic: "听起来像合成的声音。请由本人对着麦克风念。",
};

/** The state of a role's proof on its page. */
export const proofStateCopy = {
  badge: { judging: "正在核对", asked: "验证审核中", declined: "验证未通过", proven: "声音已验证" },
  heading: {
    missing: "验证没有通过",
    short: "要公开，还差一段长一些的录音",
    judging: "正在核对声音",
    asked: "正在人工审核",
    declined: "人工审核没有通过",
  },
  missing: "自己使用不受影响。要公开，请录音里的本人再念一遍验证句。",
  judging: "正在核对刚才念的录音，一般十几秒，人多时会久一些。",
  short: `自己使用不受影响。公开要先验证声音，参考录音里至少要说满 ${referenceLeastSeconds} 秒，现在这段不够。请换一段长一些的录音重新创建。`,
  lastTime: (sentence: string) => `上次念的：${sentence}`,
  asked: "审核员正在听录音，通常三天内有结果。",
  declined: (note: string) => (note ? `审核说明：${note}` : "自己使用不受影响。要公开，请换个安静的地方再念一遍。"),
  actions: { missing: "再验证一次", judging: "查看进度", declined: "再验证一次" },
  term: "验证",
} as const;

/** Labels of a voice's measures, in everyday words. */
export const voiceMeasuresCopy = {
  heading: "声音特征",
  note: { simulated: "这些特征从录音中测得，合成时按它们模拟，像你，但不等于你。", measured: "这些特征从录音中测得。" },
  pitch: "音高",
  pitchValue: (hz: number) => `${Math.round(hz)} Hz`,
  range: "起伏",
  rangeValue: (semitones: number) => `${semitones.toFixed(1)} 半音`,
  pace: "语速",
  paceValue: (perSecond: number) => `每秒 ${perSecond.toFixed(1)} 字`,
  unknown: "未测出",
  likeness: "和录音的相似度",
  likenessValue: (cosine: number) => cosine.toFixed(2),
  likenessNote: (self: number | null) =>
    self === null
      ? "由声纹模型测得，1 表示同一个声音。"
      : `由声纹模型测得，1 表示同一个声音。这段录音前后两半之间是 ${self.toFixed(2)}，越接近它越像。`,
} as const;
