import { trialMax } from "~server/contract/limits";
import { formatCount, formatDay } from "./format";
import { siteCopy } from "./site";

/** Across the top, around the end of a membership. */
export const expiryCopy = {
  ends: (day: string) => `会员 ${day} 到期，不会自动续费。`,
  ended: (day: string) => `会员已在 ${day} 到期，声音、数字人和记录都还在。`,
} as const;

export const accountCopy = {
  downloadMark: "下载提示音",
  label: siteCopy.account,
  tiers: { svip: "专业会员", vip: "普通会员", none: "未开通会员" },
  monthly: "包月 · 不会自动续费",
  buckets: { svip: "专业会员字数", vip: "普通会员字数", pack: "加量包字数" },
  left: (left: number, total: number) => `剩 ${formatCount(left)} / ${formatCount(total)} 字`,
  /** Unix seconds. */
  until: (end: number) => `有效至 ${formatDay(end)}`,
  nextStep: {
    coming: (count: number, start: number) => `下一期 ${formatCount(count)} 字，${formatDay(start)}开始。`,
    start: "提前启用下一期",
    asking: (count: number, end: number) => ({
      title: "提前启用下一期字数？",
      text: `下一期的 ${formatCount(count)} 字现在就能用，有效期不变，到 ${formatDay(end)}为止。会员时长不变，这段时间里不再有新的字数。`,
      confirm: "现在启用",
    }),
    started: (count: number) => `已启用 ${formatCount(count)} 字`,
    failed: "启用失败，请重试。",
  },
  trialsLeft: (left: number, most: number) => `剩余试用 ${left} / ${most}`,
  works: "我的作品",
  subscribe: "会员与订单",
  keys: "API 密钥",
  export: "导出我的数据",
  archive: "我的数据.zip",
  remove: "注销账号",
  logOut: "退出登录",
  leaving: { title: "退出登录？", text: "文字和录音会保留在这个浏览器里。", confirm: "退出登录" },
  loggedOut: "已退出登录",
} as const;

/** Texts of the login form, sections 4, 5 and 8 of the specification to the letter where they speak. */
export const loginCopy = {
  title: "登录",
  close: "关闭",
  reasons: {
    "trials-used": `${trialMax} 次试用已用完。登录后可以继续，文字和录音都会保留。`,
    "save-role": "保存为数字人需要登录：声音和授权都存在账号里。录音会保留在这个浏览器里。",
    "to-clone": "登录后接着生成，文字、声音和录音都会保留。",
    "to-dub": "配好的音频存在账号里。台词会保留，登录后自动接着生成。",
    "to-buy": "会员跟着账号走，登录后接着选套餐。",
    asked: "用短信验证码登录，新手机号自动注册。",
  },
  phone: "手机号",
  phoneHint: "11 位手机号",
  code: "验证码",
  codeHint: "6 位数字",
  send: "发送验证码",
  sending: "正在发送",
  again: (seconds: number) => `${seconds} 秒后重发`,
  sentAnnouncement: (phone: string) => `验证码已发送到 ${phone}`,
  demo: "演示模式",
  demoCode: (code: string) => `验证码 ${code}`,
  fill: "填入",
  go: "登录",
  going: "正在登录",
  agreeBefore: "继续登录即表示同意",
  terms: "服务条款",
  agreeAnd: "和",
  privacy: "隐私政策",
  field: {
    phoneFirst: "请先输入手机号",
    phoneMissing: "请输入手机号",
    phoneWrong: "手机号格式不正确",
    codeMissing: "请输入验证码",
    codeNotSent: "请先发送验证码",
  },
  notice: {
    failed: "登录失败!",
    codeNotSent: "请先发送验证码!",
    codeMissing: "请输入验证码!",
  },
} as const;

/** Names of the visitor kinds in analytics. */
export const tierTags = { visitor: "游客", none: "免费用户", vip: "VIP", svip: "SVIP" } as const;

const permanentDays = 3650;

const daySeconds = 86_400;

/** Remaining membership: 已过期, 永久 from 3650 days on, else the days left. Null if there never was one. */
export function formatExpiry(expireSeconds: number, nowSeconds: number): string | null {
  if (expireSeconds <= 0) return null;
  if (expireSeconds <= nowSeconds) return "已过期";
  const days = Math.ceil((expireSeconds - nowSeconds) / daySeconds);
  return days >= permanentDays ? "永久" : `还剩 ${formatCount(days)} 天`;
}

/** Payment inside WeChat, and the page of an order that was handed over. */
export const payElsewhereCopy = {
  wechat: {
    cancelled: "没有付款，订单还在，可以再付。",
    notInWechat: "这里打不开微信支付，请在微信里打开本页。",
    denied: "微信没有确认付款人，请再试一次，或者换浏览器付款。",
    again: "再试一次",
    title: "微信里打不开付款页",
    sentence: "换浏览器付款，不用再登录。链接 15 分钟内有效，只能打开一次。",
    makeLink: "换浏览器付款",
    copyLink: "复制付款链接",
    openOutside: "在浏览器打开",
    steps: ["点右上角的“···”", "选“在浏览器打开”"],
    copyPage: "复制本页链接",
  },
  /** The page of an order that was handed over. */
  handover: {
    title: "付款",
    description: "为一笔订单付款。",
    until: "不用登录，只能支付这一笔订单。",
    open: "继续付款",
    missing: "这个付款链接已经用过或者过期了。",
    missingHint: "请回到原来的页面，重新生成付款链接。",
    paid: "付款成功，可以回到原来的页面了。",
    over: "订单已过期，请回到原来的页面重新下单。",
    refunded: "这笔订单已退款。",
  },
} as const;

/** Ways on from the login page without a login. */
export const loginAlternativesCopy = {
  toTrial: "去首页试用",
  toSquare: "先听听广场里的声音",
} as const;
