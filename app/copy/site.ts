/** Texts of the frame around every page. */
export const navCopy = {
  home: "首页",
  clone: "声音克隆",
  role: "声音数字人",
  dubbing: "配音",
  square: "广场",
} as const;

/** The header's entry beside them, on wide screens. */
export const slidesNavCopy = "课件配音";

/** The tab bar has room for three characters. */
export const tabBarCopy: Record<keyof typeof navCopy, string> = {
  home: "首页",
  clone: "克隆",
  role: "数字人",
  dubbing: "配音",
  square: "广场",
};

export const siteCopy = {
  mainNav: "主导航",
  tabNav: "底部导航",
  skip: "跳到正文",
  login: "登录",
  account: "我的账号",
  homeLink: (siteName: string) => `${siteName}，返回首页`,
  colorMode: {
    light: "浅色",
    dark: "深色",
    system: "跟随系统",
    label: (now: string, next: string) => `颜色：${now}，换成${next}`,
  },
  footer: {
    service: "服务条款",
    privacy: "隐私政策",
    contact: "联系客服",
    subscribe: "会员",
    verify: "AI 标识核验",
    developers: "开放接口",
    aiLabel: "生成的声音都带有 AI 标识",
  },
  /** By the engine that speaks cloned voices; others are exact. */
  engines: { embedded: "内置引擎 · 声学特征模拟", kokoro: "音色相近，不是逐字克隆" } as Record<
    string,
    string | undefined
  >,
  aiBadge: "AI 生成",
  failed: "出错了",
  missing: "页面不存在",
  again: "重试",
  notices: "通知",
  closeNotice: "关闭通知",
} as const;

export const homeTitle = (siteName: string) => `${siteName} · 念一句话，就有你的声音`;

export const homeDescription =
  "录一句话、传一段音频，或者选一个现成的声音，写一段文字，马上听到用这个声音说出来的样子。不用安装，不用登录。";

export const announcementCopy = { label: "公告", more: "查看详情", close: "关闭公告" } as const;

/** The natural voice that comes by itself, in demo mode. */
export const megabytes = (bytes: number) => (bytes / 1e6).toFixed(0);

interface DownloadFigures {
  /** Bytes. */
  received: number;
  total: number;
  bytesPerSecond: number;
}

/** How far a download has come, how fast it is and how long it still takes. */
export function downloadSentence({ received, total, bytesPerSecond }: DownloadFigures): string {
  const figures = [`${megabytes(received)}\u00a0/\u00a0${megabytes(total)}\u00a0MB`];
  if (bytesPerSecond > 0) {
    const seconds = Math.ceil((total - received) / bytesPerSecond);
    figures.push(`每秒 ${(bytesPerSecond / 1e6).toFixed(1)}\u00a0MB`);
    figures.push(seconds < 60 ? `约剩 ${seconds} 秒` : `约剩 ${Math.ceil(seconds / 60)} 分钟`);
  }
  return figures.join("，");
}

export const arrivingVoiceCopy = {
  label: "更自然的声音",
  progress: "下载进度",
  arriving: (figures: string) => `正在下载更自然的声音：${figures}。`,
  trying: "更自然的声音已经下载，正在安装和试音，好了会自己换上。",
  waiting: "更自然的声音暂时下载不到，每十分钟再试一次。现在由内置引擎发声。",
  cancel: "取消",
} as const;

/** Default texts of a confirmation. */
export const confirmCopy = {
  title: "警告",
  text: "确定要继续吗？",
  cancel: "取消",
  confirm: "确定",
} as const;

/** Texts of the player bar. */
export const playerCopy = {
  region: "播放器",
  play: "播放",
  pause: "暂停",
  position: "播放进度",
  speed: "播放速度",
  download: "下载",
  downloadAs: (format: string) => `下载 ${format}`,
  /** Shown beside a file that is encoded on its first download. */
  onDemand: "首次需几秒",
  /** Lead-in and tones of the audible mark. */
  markNote: "末尾有提示音，比听到的长 1.4 秒",
  markSetting: "设置",
  preparing: (format: string) => `正在准备 ${format} 文件，好了会自动下载`,
  collapse: "收起播放器",
  expand: "展开播放器",
  close: "关闭播放器",
  failed: "音频加载失败",
  positionText: (position: string, duration: string) => `${position}，共 ${duration}`,
} as const;

/** Texts of the digital humans' cards. */
export const humanCardCopy = {
  listen: (name: string) => `试听${name}`,
  pause: (name: string) => `暂停${name}`,
  loading: (name: string) => `正在准备${name}的试听`,
  noPreview: "试听生成中，稍后再来",
  /** Specification section 8; the status is unknown while the network is gone. */
  pictureFailed: (status: number | null) => (status === null ? "图片加载失败" : `图片加载失败 ${status}`),
  trackTitle: (name: string) => `${name} · 试听`,
} as const;

/** Texts of the customer-service button and of the panel it opens. */
export const serviceCopy = {
  region: "客服",
  open: "联系客服",
  hint: "可以拖动，也可以用方向键移动",
  hide: "收起客服按钮",
  title: "联系客服",
  close: "关闭",
  qr: "客服二维码",
  /** Shown if the operator configured nothing: the code leads to the site itself. */
  demo: "这是演示站，没有真人客服。扫码可以在手机上继续使用；部署时可在配置中换成自己的二维码和说明。",
  terms: "查看服务条款",
} as const;

/** Texts of the notices about the site: updates and lost connections. */
export const updatesCopy = {
  label: "网站有更新",
  text: "网站有新版本，刷新后即可使用，填写的内容会保留。",
  reload: "刷新",
  later: "稍后",
  offline: "网络已断开。内容都已保留，恢复后自动继续。",
  stays: "网络已断开，打不开新页面。这一页的内容都还在。",
  connection: "网络状态",
  back: "网络已恢复",
  consent: {
    label: "统计许可",
    text: "是否允许统计页面访问？仅用于改进网站，不会读取你的录音和文字。",
    yes: "允许",
    no: "拒绝",
  },
} as const;

export const loadFailureCopy = {
  sentence: "加载失败，请检查网络后重试。",
  retry: "重试",
  reload: "刷新页面",
  close: "关闭",
} as const;
