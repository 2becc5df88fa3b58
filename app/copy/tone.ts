import { formatSpeed } from "./player";

const signed = (value: number) => `${value > 0 ? "+" : ""}${value}`;

/** Words of speed, pitch, volume and feeling. */
export const tone = {
  heading: "语气",
  speed: "语速",
  speedText: formatSpeed,
  more: "更多语气",
  professional: "专业会员",
  unlock: "开通专业会员，使用语气控制",
  locked: "音高、音量、情绪和参考语气是专业会员的功能。",
  pitch: "音高",
  pitchText: (semitones: number) => (semitones === 0 ? "不变" : `${signed(semitones)} 半音`),
  volume: "音量",
  volumeText: (decibels: number) => (decibels === 0 ? "不变" : `${signed(decibels)} dB`),
  genre: "语气从哪里来",
  genres: { 0: "本来的语气", 2: "选情绪", 1: "照着录音说" },
  feelings: {
    happy: "开心",
    angry: "生气",
    sad: "难过",
    afraid: "害怕",
    disgusted: "厌恶",
    melancholic: "忧郁",
    surprised: "惊讶",
    calm: "平静",
  },
  feelingsHint: "可以几种一起，调得越高越明显。",
  feelingText: (weight: number) => `${Math.round(weight * 100)}%`,
  referenceHint: "用想要的语气说一句话，生成时照着它的快慢和轻重说。",
  reset: "恢复默认",
} as const;
