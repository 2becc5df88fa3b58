import { costCopy } from "../cost";
import { formatCount } from "../format";

/** Words of what it costs, of making it, and of hearing it. */
export const makingCopy = {
  go: "生成配音",
  going: "正在生成",
  started: "已开始生成，完成后在记录里",
  cancel: "取消",
  listenAll: "听全文",
  pauseAll: "暂停",
  listenDone: "先听已完成的",
  cost: {
    nothing: "没有改动，再次生成免费",
    empty: "先写一句台词",
    all: (count: number) => `共 ${count} 句`,
    changed: (count: number) => `只改了 ${count} 句`,
    visitor: (count: number) => `共 ${formatCount(count)} 字，登录后生成`,
    over: (count: number, limit: number) => `每次最多 ${formatCount(limit)} 字，多了 ${formatCount(count - limit)} 字`,
    overLine: (place: number, count: number, limit: number) =>
      `第 ${place} 句有 ${formatCount(count)} 字，每句最多 ${formatCount(limit)} 字，请拆成几句`,
    overScript: (count: number, limit: number) =>
      `一份台词本最多 ${formatCount(limit)} 字，多了 ${formatCount(count - limit)} 字`,
    noRole: (place: number) => `第 ${place} 句还没有角色`,
    short: "本月字数不够了",
  },
  takeTitle: "先听一遍？",
  takeText: (lines: number, characters: number) =>
    `有 ${lines} 句还没有生成，听之前先生成，消耗 ${characters} 字。之后生成配音时这些句子不再收。`,
  takeTrial: (lines: number, leftAfter: number) =>
    `有 ${lines} 句还没有生成，听之前先生成，${costCopy.takesTrial(leftAfter)}。`,
  take: "生成并听",
  takeCancel: "先不听",
  progress: "生成进度",
  done: "配音生成好了",
  failedAt: (place: number) => `第 ${place} 句没有生成成功，字数已退回`,
  failed: "没有生成成功，字数已退回",
  cancelled: "已取消，字数已退回",
  subtitle: (place: number, name: string) => `第 ${place} 句 · ${name}`,
  said: (done: number, total: number) => `已生成 ${done} 句，共 ${total} 句`,
} as const;
