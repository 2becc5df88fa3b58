/** Words for two pages with one script. */
export const tabsCopy = {
  conflict: "另一个页面也在改这份台词本。",
  theirs: "用那边的",
  mine: "留这边的",
  adopted: "已换成另一个页面里的最新内容",
} as const;
