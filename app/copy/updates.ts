/** Words of the bars that tell about the site itself. */
export const updatesCopy = {
  label: "网站有更新",
  text: "网站有新版本，刷新就能用上。写好的内容都会留着。",
  reload: "刷新",
  later: "以后再说",
  offline: "网络断开了。写好的内容都在，恢复以后会自动继续。",
  connection: "网络状态",
  back: "网络恢复了",
  consent: {
    label: "统计许可",
    text: "可以让我们统计页面的访问吗？只用来改进网站，不会读取你的录音和文字。",
    yes: "可以",
    no: "不用",
  },
} as const;
