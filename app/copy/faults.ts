/** What a field of a form says below itself, by its label. */
export const fieldFaults = {
  missing: (label: string) => `请填写${label}。`,
  malformed: (label: string) => `${label}的格式不对，请检查后再提交。`,
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
