/** Texts of shared pages, of the pages of the square's people, and of the dialog that shares. */
export const shareCopy = {
  title: "分享这段声音",
  filmTitle: "分享这个视频",
  sentence: "生成一个公开网页，拿到链接的人都能打开。随时可以停止分享。",
  close: "关闭",
  create: "创建链接",
  link: "链接",
  copy: "复制链接",
  copied: "已复制",
  visit: "打开",
  listed: "允许搜索引擎收录",
  listedHint: "不勾选时，只有拿到链接的人能看到。",
  revoke: "停止分享",
  frameTitle: "AI 生成的声音",
} as const;

const headingMax = 40;

/** Names a shared work: its title, or the beginning of its text. */
export function headingOf({ title, lines }: { title: string; lines: ReadonlyArray<{ content: string }> }): string {
  const letters = [...(title || (lines[0]?.content.replace(/\s+/g, " ").trim() ?? ""))];
  const shown = letters.length > headingMax ? [...letters.slice(0, headingMax - 1), "…"] : letters;
  return shown.join("") || sharedPageCopy.untitled;
}

/** The code that shows a shared page inside another site's. */
export const embedCopy = { open: "嵌入到网页", link: "嵌入代码", copy: "复制代码", copied: "已复制" } as const;

export const sharedPageCopy = {
  untitled: "声音（AI 生成）",
  description: (words: string) => `点开就能听：${words}`,
  sound: "这段声音",
  use: "用这个声音",
  tryIt: "我也试试",
  label: "这段声音由 AI 生成，文件带有 AI 标识。",
  film: "这个视频",
  filmLabel: "这个视频由 AI 生成，画面、声音和文件都带有 AI 标识。",
  verify: "怎么核验",
  openAt: (siteName: string) => `在${siteName}打开`,
  gone: { heading: "这个页面已经停止分享", sentence: "分享的人收回了链接，或者删除了它。" },
  missing: { heading: "页面不存在", sentence: "请检查链接是否完整。" },
  home: "返回首页",
  report: {
    open: "举报这个页面",
    go: "提交举报",
    thanks: "已收到举报，我们会尽快核实。",
    failed: "举报提交失败，请稍后重试。",
  },
} as const;

/** The code and the poster of a public page. */
export const posterCopy = {
  open: "保存海报",
  qr: "本页的二维码",
  scan: "扫码就能听",
  title: "海报",
  sentence: "长按图片，或者点下面的按钮保存，发给朋友。",
  alt: (title: string) => `${title}的海报：画像、文字和二维码`,
  save: "保存图片",
  failed: "海报生成失败，请关闭后重试。",
  close: "关闭",
} as const;

export const personPageCopy = {
  title: (name: string) => `${name}的声音`,
  description: (name: string, describe: string) => `${describe}。点一下就能听${name}说话，喜欢就直接用。`,
  listen: (name: string) => `试听${name}`,
  clone: "用这个声音",
  dub: "用来配音",
  square: "看看其他声音",
} as const;

export const sayCopy = {
  label: (name: string) => `让${name}说`,
  said: (name: string) => `${name}说的这句话`,
  placeholder: "写一句话，马上听到",
  go: "让 TA 说",
  pending: "正在生成",
  again: "再听一遍",
  empty: "请先写一句想听到的话。",
  over: (excess: number) => `超出 ${excess} 字，删减后才能生成。`,
  original: "原声",
  cloned: "克隆",
  compare: "同一个人，听听像不像",
} as const;
