import { formatCount } from "./format";

/** What a generation takes and what is left after it; clone and dubbing say it alike. */
export const costCopy = {
  takes: (characters: number) => `将消耗 ${formatCount(characters)} 字`,
  leaves: (left: number) => `生成后本月还剩 ${formatCount(left)} 字`,
  short: (need: number, left: number) => `需要 ${formatCount(need)} 字，本月只剩 ${formatCount(left)} 字`,
  takesTrial: (leftAfter: number) => `将用 1 次试用，用后还剩 ${leftAfter} 次`,
  noTrial: "试用次数已用完，开通会员可以继续。",
  buy: "加字数",
  join: "开通会员",
} as const;
