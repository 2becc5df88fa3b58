/** Words for choosing how a character is read, and how long a pause lasts. */
export const readingCopy = {
  label: "选择读音",
  question: { before: "“", behind: "”里读哪个？" },
  asking: "正在查这个字的读音",
  none: "没有查到别的读法。",
  listen: (pinyin: string) => `听一听${pinyin}`,
  forget: "按原样读",
  keep: (word: string) => `“${word}”以后都这样读（我的词典）`,
  kept: (word: string) => `已存入我的词典：${word}`,
  next: "下一个多音字",
  previous: "上一个多音字",
  close: "关闭",
  sampleTitle: (text: string) => `读音：${text}`,
  pauseLabel: "停顿多久",
  removePause: "去掉停顿",
} as const;
