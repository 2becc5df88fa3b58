import type { ErrorCode } from "~server/contract/codes";
import { errorSentences } from "../errors";
import { formatCount } from "../format";

/** Words of the page of voice digital humans. */
export const roleCopy = {
  back: "全部数字人",
  create: "新建数字人",
  search: "搜索名字或标签",
  submit: "搜索",
  list: "我的数字人",
  count: (total: number) => `共 ${total} 个数字人`,
  found: (total: number, keyword: string) => `“${keyword}”找到 ${total} 个`,
  freeUsed: (used: number, most: number) => `免费账号可以保存 ${most} 个，已有 ${used} 个`,
  pages: "翻页",
  previous: "上一页",
  next: "下一页",
  page: (page: number, last: number) => `第 ${page} 页，共 ${last} 页`,
  open: (name: string) => `打开${name}`,
  opened: "打开",
  uses: (count: number) => (count === 0 ? "还没用过" : `用过 ${formatCount(count)} 次`),
  empty: {
    heading: "还没有数字人",
    sentence: "录一句话，配一张脸，起一个名字，它就能用这个声音替你说话。",
    action: "新建数字人",
  },
  nothingFound: { heading: "没有找到", sentence: "换个词再试，或者看全部。", action: "看全部" },
  failed: { heading: "数字人没有打开", action: "再试一次" },
  missing: { heading: "没有找到这个数字人", action: "看全部数字人" },
  states: {
    learning: "正在学这个声音",
    queued: (before: number) => `前面还有 ${before} 个，轮到就开始`,
    bar: (name: string) => `${name}的学习进度`,
    failed: "没有学会",
    public: "已公开",
    review: "审核中",
    reviewNote: "有人举报了这个数字人，审核完成以前广场上看不到它；你自己照常使用。",
  },
} as const;

/** A voice that could not be learned is no generation, so no count was taken. */
export const learningFault = (reason: string | undefined) =>
  reason && reason !== "synthesis-failed" && Object.hasOwn(errorSentences, reason)
    ? errorSentences[reason as ErrorCode]
    : "可以再试一次，或者换一段录音再建一个。";
