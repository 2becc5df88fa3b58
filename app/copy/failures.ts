/** Words of the pages that stand in for a page. */
export const notFound = {
  title: "页面不存在",
  heading: "这一页不在这里",
  sentence: "链接可能写错了，或者内容已经删除。",
  home: "回到首页",
} as const;

export const failed = {
  heading: "这一页没有打开",
  sentence: "是我们这边的问题，刷新一下多半就好。",
  quote: "如果还不行，请把下面的编号发给我们。",
  reload: "刷新",
  home: "回到首页",
  requestId: "编号",
} as const;

export const unreached = {
  heading: "网络异常",
  sentence: "连不上我们。网络恢复以后，这一页会自己打开。",
  again: "再试一次",
} as const;

/** A part of a page whose code did not load. */
export const partFailure = {
  sentence: "没有加载出来，请检查网络后重试。",
  retry: "重试",
  reload: "刷新页面",
  close: "关闭",
  retryAccount: "重新加载账号",
} as const;

export const lostFile = {
  heading: (title = "这一页") => `${title}没有打开`,
  sentence: "有一个页面文件没有加载出来，可能是网站刚刚更新。刷新可以再试一次，填写的内容会保留。",
} as const;
