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

/** Texts of the pages besides lists and editors. */
export const loginAlternativesCopy = {
  toTrial: "去首页试用",
  toSquare: "先听听广场里的声音",
} as const;

/** Shown where JavaScript is turned off. */
export const noScriptCopy = {
  role: "创建和播放声音数字人需要 JavaScript，请启用后刷新页面。",
  dubbing: "编辑和试听台词需要 JavaScript，请启用后刷新页面。",
  slides: "读取课件和试听讲稿需要 JavaScript，请启用后刷新页面。",
  clone: "选声音、录音和生成需要 JavaScript，请启用后刷新页面。",
  login: "登录需要 JavaScript，请启用后刷新页面。",
  records: "当前未启用 JavaScript，生成记录在单独的页面里。",
  toRecords: "查看生成记录",
  toSquare: "去广场听听声音",
} as const;

export const clonePageCopy = {
  title: "声音克隆",
  description: "用自己的声音生成长段语音，保存每一次的结果。",
  heading: "声音克隆",
  sentence: "声音和生成的结果都保存在账号里，登录后使用。",
  points: ["选自己的声音、广场里的声音，或者新录一段", "生成记录随时可以播放、下载，或使用相同设置再生成"],
} as const;

export const rolePageCopy = {
  title: "声音数字人",
  hasExactTitle: true,
  description: "给声音一张脸：会开口说话的声音数字人。",
  heading: "声音数字人",
  loading: "正在加载",
} as const;

export const dubbingPageCopy = {
  title: "配音",
  description: "多个角色的台词，一次配完。",
  heading: "配音",
  sentence: "台词和配好的音频都保存在账号里，登录后使用。",
  points: ["一行一句台词，每行选一个声音", "导出音频和字幕"],
} as const;

export const slidesPageCopy = {
  title: "课件配音",
  description: "打开 PDF 或 PPTX 课件，每一页写上讲稿，生成会讲解的视频。",
  heading: "课件配音",
} as const;

export const loginPageCopy = {
  title: "登录",
  heading: "登录",
  sentence: "用短信验证码登录，新手机号自动注册。",
  noNeed: "试用不用登录：录一句话，马上就能听到结果，也可以下载。",
} as const;

/** Sentences of the terms that are true of some upstreams only. */
export const conditionalTerms = {
  engine: /内置引擎/,
  /** Matches the clause for installations without vendors; `vendors` matches the one for installations with vendors. */
  noVendors: /^你的录音、文字和生成的音频归你。我们只用它们/,
  vendors: /\{vendors\}/,
  label: /^(这里生成的每个音频文件都带有|下载的文件在内容之外)/,
} as const;

export const servicePageCopy = {
  title: "服务条款",
  hasExactTitle: true,
  description: "使用前请了解：声音的授权、AI 标识、数据的保存与删除。",
} as const;

export const privacyPageCopy = {
  title: "隐私政策",
  description: "手机号、录音、照片和授权记录怎么用、保存多久、怎么删除。",
} as const;

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
  pack: `加量包：普通会员每包 ${packCharacters.vip / 10_000} 万字，专业会员每包 ${packCharacters.svip / 10_000} 万字，买后 30 天内有效，可以叠加，会员先到期也能用完。`,
} as const;

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
    benefits: [`${trialMax} 次生成，每次最多 ${charactersFree} 字`, `${rolesFree} 个数字人`, "下载 MP3 和 WAV"],
  },
} as const;

/** A part of a page whose code did not load. */
export const errorPageCopy = {
  heading: "页面出错了",
  sentence: "这是我们的问题，刷新后通常可以恢复。",
  quote: "如果仍然出错，请把下面的编号发给客服。",
  reload: "刷新",
  home: "返回首页",
  requestId: "编号",
} as const;

/** Texts of the error pages. */
export const notFoundCopy = {
  title: "页面不存在",
  heading: "页面不存在",
  sentence: "链接可能有误，或者内容已被删除。",
  home: "返回首页",
} as const;

export const offlinePageCopy = {
  heading: "网络异常",
  sentence: "无法连接到服务器。网络恢复后，页面会自动打开。",
  again: "重试",
} as const;

export const missingFileCopy = {
  heading: (title = "页面") => `${title}加载失败`,
  sentence: "页面文件加载失败，可能是网站刚刚更新。请刷新重试，填写的内容会保留。",
} as const;

/** Texts of /main/role for visitors. */
export const roleVisitorCopy = {
  sentence: "给声音一张脸：录一句话，就有一个会开口、会眨眼、用你的声音说话的数字人。",
  points: [
    "口型跟着声音走，一个音一个口型",
    "声音、头像和授权只属于你的账号，删除后不留副本",
    "可以留给自己用，也可以公开到广场",
  ],
  login: "登录后新建",
  samples: "先听听他们",
  toSquare: "去广场查看更多",
} as const;
