/** Words of the pages that are more than a list or an editor. */
export const loginAlternativesCopy = {
  toTrial: "去首页试用",
  toSquare: "先听听广场里的声音",
} as const;

/** What needs JavaScript says so where it is turned off. */
export const noScriptCopy = {
  role: "声音数字人要在浏览器里创建和播放，需要打开 JavaScript。打开以后刷新这一页就可以用。",
  dubbing: "台词要在浏览器里编辑和试听，需要打开 JavaScript。打开以后刷新这一页就可以用。",
  clone: "选声音、录音和生成需要打开 JavaScript。打开以后刷新这一页就可以用。",
  login: "登录需要打开 JavaScript。打开以后刷新这一页就可以用。",
  toSquare: "先去广场看看声音",
} as const;

export const clonePageCopy = {
  title: "声音克隆",
  description: "用自己的声音生成长段语音，保存每一次的结果。",
  heading: "声音克隆",
  sentence: "这里保存你的声音和每一次生成的结果，所以需要一个账号。",
  points: ["选自己的声音、广场里的声音，或者新录一段", "生成的记录随时回来听、下载、再用一次设置"],
} as const;

export const rolePageCopy = {
  title: "声音数字人",
  description: "给声音一张脸：会开口说话的声音数字人。",
  heading: "声音数字人",
  loading: "正在打开",
} as const;

export const dubbingPageCopy = {
  title: "配音",
  description: "多个角色的台词，一次配完。",
  heading: "配音",
  sentence: "台词本和配好的音频存在账号里，所以需要登录后使用。",
  points: ["一行一句台词，每行选一个声音", "导出音频和字幕"],
} as const;

export const loginPageCopy = {
  title: "登录",
  heading: "登录",
  sentence: "用短信验证码登录，新手机号自动注册。",
  noNeed: "试用不需要登录：录一句话，马上能听到结果，也能下载。",
} as const;

/** Sentences of the terms that only an upstream with our engine or our file label can promise. */
export const conditionalTerms = {
  engine: /内置引擎/,
  label: /^(这里生成的每个音频文件都带有|下载的文件在内容之外)/,
} as const;

export const servicePageCopy = {
  title: "服务条款",
  description: "使用前请了解：声音的授权、AI 标识、数据的保存与删除。",
} as const;

export const subscribePageCopy = {
  title: "会员",
  description: "普通会员与专业会员的权益。",
  heading: "会员权益",
  sentence: "会员跟着账号走，付款后马上到账。两档会员可以叠加：专业会员先用，普通会员顺延，不会浪费。",
  mine: "我的会员",
  noMembership: "还没有会员。试用次数用完以后，开通会员就可以接着生成。",
  buy: { 1: "开通普通会员", 2: "开通专业会员", 3: "购买加量包" },
  from: (price: string) => `${price} 起`,
  noProducts: "现在没有可以购买的套餐。",
  caption: "各档权益对照",
  benefit: "权益",
  normal: "普通会员",
  professional: "专业会员",
  yes: "有",
  no: "没有",
  rows: [
    { benefit: "声音数字人", normal: "不限", professional: "不限" },
    { benefit: "声音角色库", normal: "不限", professional: "不限" },
    { benefit: "一对一支持", normal: true, professional: true },
    { benefit: "每次生成的字数上限", normal: "500 字", professional: "1,500 字" },
    { benefit: "每月克隆字数", normal: "50,000 字", professional: "100,000 字" },
    { benefit: "语气参数控制", normal: false, professional: true },
    { benefit: "参考音频语气控制", normal: false, professional: true },
    { benefit: "快速生成通道", normal: false, professional: true },
  ],
  pack: "加量包：普通会员每包 6W 字，专业会员每包 11W 字，当月内可以叠加。",
} as const;
