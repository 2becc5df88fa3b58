/** Words of the frame around every page. */
export const nav = {
  home: "首页",
  clone: "声音克隆",
  role: "声音数字人",
  dubbing: "配音",
  square: "广场",
} as const;

/** The tab bar has room for three characters. */
export const tabs: Record<keyof typeof nav, string> = {
  home: "首页",
  clone: "克隆",
  role: "数字人",
  dubbing: "配音",
  square: "广场",
};

export const site = {
  mainNav: "主导航",
  tabNav: "底部导航",
  skip: "跳到正文",
  login: "登录",
  homeLink: (siteName: string) => `${siteName}，回到首页`,
  colorMode: {
    light: "浅色",
    dark: "深色",
    system: "跟随系统",
    label: (now: string, next: string) => `颜色：${now}，换成${next}`,
  },
  footer: {
    label: "页脚",
    terms: "服务条款",
    subscribe: "会员",
    verify: "AI 标识核验",
    aiLabel: "生成的声音都带有 AI 标识",
  },
  engine: "内置引擎 · 声学特征模拟",
  aiBadge: "AI 生成",
  failed: "出错了",
  again: "再试一次",
  notices: "通知",
  closeNotice: "关闭通知",
} as const;

export const announcement = { label: "公告", more: "查看详情", close: "关闭公告" } as const;

export const homeTitle = (siteName: string) => `${siteName} · 念一句话，就有你的声音`;
export const homeDescription =
  "录一句话、传一段音频，或者选一个现成的声音，写一段文字，马上听到用这个声音说出来的样子。不用安装，不用登录。";
