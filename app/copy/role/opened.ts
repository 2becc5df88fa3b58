import { formatCount } from "../format";

/** What was measured of a voice, in the words people use. */
export const voiceCopy = {
  heading: "量出来的声音",
  note: "这些是从录音里量出的声学特征，合成时照着它们模拟，像你，但不等于你。",
  pitch: "音高",
  pitchValue: (hz: number) => `${Math.round(hz)} Hz`,
  range: "起伏",
  rangeValue: (semitones: number) => `${semitones.toFixed(1)} 半音`,
  pace: "语速",
  paceValue: (perSecond: number) => `每秒 ${perSecond.toFixed(1)} 字`,
  unknown: "没量出来",
  inShort: (hz: number, semitones: number) => `${Math.round(hz)} Hz · ${semitones.toFixed(1)} 半音`,
} as const;

/** Words of one digital human, opened. */
export const openedCopy = {
  listen: "听它说话",
  pause: "先停一下",
  loading: "正在准备",
  noPreview: "学会以后就能听",
  use: "用这个声音生成",
  dub: "用它配音",
  edit: "修改",
  publish: "公开到广场",
  withdraw: "从广场撤下",
  remove: "删除",
  retry: "重试",
  again: "换一段录音再建一个",
  uses: "使用",
  consent: "授权",
  consentAt: (day: string) => `${day} 确认`,
  createdAt: "创建",
  publishing: {
    title: "公开到广场",
    text: (name: string) =>
      `任何人都能试听“${name}”，也能用它生成语音。录音本身不会公开；随时可以撤下，已经生成的不会收回。`,
    confirm: "公开",
  },
  published: "已公开到广场",
  withdrawn: "已从广场撤下",
  removing: {
    title: "删除数字人",
    text: (name: string, outputs: number) =>
      `“${name}”的录音、授权、学到的声音${outputs > 0 ? `和用它生成的 ${formatCount(outputs)} 条语音` : ""}会一起删除，不能恢复。`,
    confirm: "删除",
  },
  removed: (name: string) => `已删除“${name}”`,
} as const;
