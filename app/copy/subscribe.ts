import {
  charactersFree,
  charactersSvip,
  charactersVip,
  monthlyCharacters,
  packCharacters,
  rolesFree,
  trialMax,
} from "~server/contract/limits";
import { formatCount } from "./format";

/** Texts of the membership page. */
export const subscribePageCopy = {
  title: "会员",
  description: "普通会员与专业会员的权益。",
  heading: "会员权益",
  referral: {
    heading: "邀请朋友",
    sentence: (characters: number) =>
      `朋友用你的链接注册，第一次付款后，你们各得 ${formatCount(characters)} 字，30 天内有效。这笔付款全额退款时，没用掉的收回。`,
    copy: "复制邀请链接",
    month: (rewarded: number, max: number) => `本月已奖励 ${rewarded} 次，每月最多 ${max} 次。`,
  },
  sentence:
    "会员跟着账号走，付款后马上到账，到期不会自动续费。两档会员可以叠加：专业会员先用，普通会员顺延，不会浪费。",
  /** Before an upstream whose months and renewals are not known. */
  sentenceElsewhere: "会员跟着账号走，付款后马上到账。两档会员可以叠加，专业会员先用。",
  trouble: "付款、退款遇到问题，请",
  mine: "我的会员",
  noMembership: "未开通会员。试用次数用完后，开通会员可以继续生成。",
  buy: { 1: "开通普通会员", 2: "开通专业会员", 3: "购买加量包" },
  noProducts: "暂无可购买的套餐。",
  caption: "会员权益对比",
  benefit: "权益",
  normal: "普通会员",
  professional: "专业会员",
  yes: "有",
  no: "没有",
  rows: [
    { benefit: "声音数字人", normal: "不限", professional: "不限" },
    { benefit: "声音角色库", normal: "不限", professional: "不限" },
    { benefit: "一对一支持", normal: true, professional: true },
    {
      benefit: "每次生成的字数上限",
      normal: `${formatCount(charactersVip)} 字`,
      professional: `${formatCount(charactersSvip)} 字`,
    },
    {
      benefit: "每月克隆字数",
      normal: `${formatCount(monthlyCharacters.vip)} 字`,
      professional: `${formatCount(monthlyCharacters.svip)} 字`,
    },
    { benefit: "语气参数控制", normal: false, professional: true },
    { benefit: "参考音频语气控制", normal: false, professional: true },
    { benefit: "快速生成通道", normal: false, professional: true },
  ],
  redeem: {
    label: "兑换码",
    submit: "兑换",
    days: (tier: string, days: number) => `兑换成功，${tier} ${days} 天已到账`,
    characters: (count: number) => `兑换成功，${formatCount(count)} 字已到账，30 天内有效`,
  },
  steps:
    "每月按 30 天算：字数从购买当天起每 30 天一期，不按自然月，不足 30 天的按天数折算，每期用不完不累积。续费接在后面；这期字数用完了，可以提前启用已付款的下一期。",
  pack: (hasSteps: boolean) =>
    `加量包：普通会员每包 ${packCharacters.vip / 10_000} 万字，专业会员每包 ${packCharacters.svip / 10_000} 万字，${hasSteps ? "买后 30 天内有效，可以叠加，会员先到期也能用完" : "当月可以叠加"}。`,
} as const;

const lengths = [
  [/年|year|annual/i, 12],
  [/季|quarter/i, 3],
  [/月|month/i, 1],
] as const;

/** Months of a package by its name, otherwise by its code; 0 for a name that counts or halves a length. */
export function monthsNamed({ tagMark, pCode }: { tagMark: string; pCode: string }): number {
  if (/[\d半两二三六]/.test(tagMark)) return 0;
  const named = [tagMark, pCode].flatMap((text) => lengths.find(([word]) => word.test(text)) ?? []);
  return Number(named[1] ?? 0);
}

/** Texts of the membership cards. */
export const planCopy = {
  period: "购买时长",
  units: new Map([
    [1, "月"],
    [3, "季"],
    [12, "年"],
  ]),
  savedPercent: (percent: number) => `省 ${percent}%`,
  saved: (monthlyFen: number, savedFen: number) =>
    `每月约 ${(monthlyFen / 100).toFixed(2)} 元，省 ${formatCount(savedFen / 100)} 元`,
  recommended: "推荐",
  names: { 1: "普通会员", 2: "专业会员" },
  renew: { 1: "续费普通会员", 2: "续费专业会员" },
  benefits: {
    1: [
      `每次最多 ${formatCount(charactersVip)} 字`,
      `每月 ${formatCount(monthlyCharacters.vip)} 字克隆`,
      "声音数字人、声音角色库不限量",
      "一对一支持",
    ],
    2: [
      `每次最多 ${formatCount(charactersSvip)} 字`,
      `每月 ${formatCount(monthlyCharacters.svip)} 字克隆`,
      "语气参数、参考音频语气",
      "快速生成通道",
      "普通会员的全部权益",
    ],
  },
  free: {
    name: "免费试用",
    note: "不用登录",
    go: "去试一句",
    benefits: [`${trialMax} 次生成，每次最多 ${charactersFree} 字`, "下载 MP3 和 WAV"],
    roles: `登录后可建 ${rolesFree} 个数字人`,
  },
} as const;
