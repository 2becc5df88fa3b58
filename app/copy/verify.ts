import { verifyMaxBytes, verifyMaxMinutes } from "~server/contract/limits";
import { errorSentences } from "./errors";

/** Texts of the page that checks whether a file was made here. */
export const verifyPageCopy = {
  title: "验证声音",
  description: "查一段声音或一个视频是不是本站生成的。",
  heading: "这段声音是本站生成的吗？",
  sentence:
    "选一个音频或视频文件，我们用文件里的 AI 标识和声音指纹来查。转过格式、剪过一段也能认出来。撤回授权的回执文件也可以在这里查验。",
  privacy: "文件仅用于比对，完成后立即删除。",
} as const;

export const verifyCopy = {
  pick: "选一个音频或视频文件",
  drop: "或者拖到这里",
  dropNow: "松开即可上传",
  formats: `支持 MP3、WAV、M4A、FLAC、OGG、WebM、MP4，不超过 ${verifyMaxBytes / 1024 / 1024} MB、${verifyMaxMinutes} 分钟。更大更长的文件，剪出其中一两分钟来查，一样能认出来。`,
  tooLarge: `${errorSentences["too-large"]}。剪出其中一两分钟来查，一样能认出来。`,
  reading: "正在读取文件",
  sending: (percent: number) => `正在上传 ${percent}%`,
  comparing: "正在比对",
  progress: "进度",
  stop: "停止",
  again: "重试",
  another: "换一个文件",
  file: "文件",
  unreadable: "浏览器打不开这个文件，请换成 MP3 或 WAV 再试。",
  failed: "查询失败",
} as const;

/** Title and explanation of each answer. */
export const verdictCopy = {
  label: {
    heading: "是本站生成",
    sentence: "文件里有我们写入的 AI 标识，编号是我们发出的。",
  },
  signed: {
    heading: "是本站生成",
    sentence: "文件里有我们写入的 AI 标识，签名是我们的，写入以后没有被改过。",
  },
  fingerprint: {
    heading: "是本站生成",
    sentence: "文件被转换、剪辑过，或者去掉了标识，但里面的声音和我们生成过的一段相同。",
  },
  other: {
    heading: "不是本站生成",
    sentence:
      "声音够长也够清楚，换成常见的快慢和高低也试过，和本站生成过的都对不上。不过改动很大，或者盖上很响的音乐以后，我们可能认不出来。",
  },
  unclear: {
    heading: "无法判定",
    sentence: `声音太短、太轻、超过 ${verifyMaxMinutes} 分钟，或者改动太大，没有足够的依据说是或者不是。换一两分钟清楚的声音再试。`,
  },
} as const;

/** A receipt of a revoked consent, instead of a sound. */
export const receiptVerdictCopy = {
  valid: {
    heading: "回执是本站签发的",
    sentence: "签名是我们的，内容没有被改过。",
  },
  invalid: {
    heading: "回执无法确认",
    sentence: "请使用下载时的原文件，改过或者重新保存过的都不行。",
  },
  signature: "签名",
  signatures: {
    valid: "本站签名，没有被改过",
    unsigned: "没有签名",
    foreign: "不是本站的签名",
    changed: "签名和内容对不上，内容被改过",
  },
  id: "回执编号",
  time: "撤回时间",
  state: "删除情况",
  erased: "已全部删除",
  erasing: "已停用，正在删除文件",
} as const;

export const verifyFactsCopy = {
  generatedAt: "生成时间",
  contentId: "内容编号",
  label: "AI 生成标识",
  labelled: { yes: "文件里有", no: "文件里没有", unknown: "无法读取" },
  signature: "标识签名",
  signatures: {
    valid: "本站签名，没有被改过",
    unsigned: "没有签名",
    foreign: "不是本站的签名",
    changed: "签名对不上，标识被改过",
  },
} as const;
