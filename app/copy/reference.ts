import { formatDuration } from "./format";

/** A recording that is there: hear it, what the coach says of it, put another in its place. */
export const referenceCopy = {
  from: "参考音频从哪里来",
  sources: { record: "录音", upload: "上传音频" },
  missing: {
    record: "还没有录音。点“开始录音”，念一句话。",
    upload: "还没有选音频。选一个文件，或者换成录音。",
  },
  clear: "声音清晰",
  usable: "可以用",
  refused: "用不了",
  unheard: "上传后再检查",
  play: "听一遍",
  pause: "暂停",
  kept: "沿用之前的录音",
  replace: "换一个",
  trim: "裁剪",
  trimmed: (seconds: number) => `已裁剪到说话最多的 ${formatDuration(seconds)}`,
} as const;

export const upload = {
  pick: "选择音频文件",
  drop: "或者拖到这里",
  dropNow: "松手就放进来",
  formats: "MP3、WAV、M4A、FLAC、OGG、WebM，10 秒到 1 分钟最好",
  reading: "正在读取",
  unreadable: "这个文件读不了。换一个音频文件，或者直接录一段。",
  tooLong: (seconds: number) =>
    `这段音频有 ${formatDuration(seconds)}，太长了。剪出一分钟以内只有一个人说话的部分再传。`,
} as const;
