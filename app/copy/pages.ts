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
} as const;

export const slidesPageCopy = {
  title: "课件配音",
  description: "打开 PDF 或 PPTX 课件，每一页写上讲稿，生成逐页的讲解。",
  heading: "课件配音",
} as const;

export const loginPageCopy = {
  title: "登录",
  heading: "登录",
  sentence: "用短信验证码登录，新手机号自动注册。",
  noNeed: "试用不用登录：录一句话，马上就能听到结果，也可以下载。",
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

/** A page that failed. */
export const errorPageCopy = {
  heading: "页面出错了",
  sentence: "这是我们的问题，刷新后通常可以恢复。",
  quote: "如果仍然出错，请把下面的编号发给客服。",
  reload: "刷新",
  home: "返回首页",
  requestId: "编号",
} as const;

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

/** A page whose code did not load. */
export const missingFileCopy = {
  heading: (title = "页面") => `${title}加载失败`,
  sentence: "页面文件加载失败，可能是网站刚刚更新。请刷新重试，填写的内容会保留。",
} as const;
