interface Sought {
  /** The first few. */
  names: string;
  count: number;
  /** Of the script. */
  lines: number;
}

const others = (count: number) => (count > 3 ? `等 ${count} 个` : "");

/** Words of scripts that come in: pasted, or opened as files. */
export const importCopy = {
  pasteTitle: "粘贴台词",
  pasteHint: "一行一句。写成“角色：台词”，会自动分给同名的角色。",
  pasteLabel: "台词",
  pastePlaceholder: "沈砚：天刚亮，菜市场已经热闹起来了。\n林小满：老板，这一行都是新到的吗？",
  put: "放进台词本",
  close: "关闭",
  mapTitle: "这些角色由谁来念？",
  mapHint: "名字和角色库里的对不上，选一次，整份台词都照这样分。",
  mapNarrator: "没有写名字的句子",
  asWords: "不是角色，照原样念",
  lines: (count: number) => `${count} 句`,
  replace: "换掉现在的台词",
  append: "接在后面",
  where: "放在哪里",
  opening: (file: string) => `正在打开 ${file}`,
  seeking: ({ names, count, lines }: Sought) => `正在为这 ${lines} 句台词找角色：${names}${others(count)}`,
  notSought: ({ names, count, lines }: Sought) =>
    `没能查到角色库：${names}${others(count)}。这 ${lines} 句台词都还在，请检查网络再试一次。`,
  again: "再试一次",
  chooseNow: "自己选",
  failures: {
    "too-large": "文件太大，请分成 20 MB 以内的几份。",
    unreadable: "这个文件读不出文字，请另存为 .txt、.srt 或 .docx 再试。",
    empty: "这个文件里没有台词。",
    "not-now": "现在打不开 Word 文档，请检查网络再试一次。",
  },
  drop: "松开放进台词本",
} as const;
