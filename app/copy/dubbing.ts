import { scriptLinesMax } from "~server/contract/limits";
import { formatCount } from "./format";

const clock = (ms: number) => {
  const tenths = Math.round(ms / 100);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${two(Math.floor(tenths / 600))}:${two(Math.floor(tenths / 10) % 60)}.${tenths % 10}`;
};

const seconds = (value: number) => value.toFixed(1);

/** Words of the dubbing page: the script editor. */
export const editorCopy = {
  title: "标题",
  untitled: "未命名的台词本",
  saved: "已自动保存",
  saving: "正在保存",
  notSaved: "没有存下来，请不要关闭这一页",
  opening: "正在打开台词本",
  script: "台词",
  openFile: "打开文件",
  import: "导入",
  paste: "粘贴台词",
  pause: "停顿",
  pauseChip: (value: number) => `停 ${value}`,
  pauseHint: "插在光标处",
  export: "导出",
  undo: "撤销",
  redo: "重做",
  startOver: "新稿",
  startedOver: "换了一份新稿，撤销可以找回刚才的。",
  add: "加一句",
  line: (place: number, name: string) => `第 ${place} 句，${name}`,
  words: (place: number, name: string) => `第 ${place} 句台词，${name}`,
  placeholder: "写一句台词。回车换到下一句，粘贴“角色：台词”可以一次放进多句",
  grip: (place: number) => `拖动第 ${place} 句，空格拿起，方向键移动`,
  role: (name: string) => `${name}，换一个角色`,
  noRole: "选一个角色",
  goneRole: "角色不在了",
  delivery: (words: string) => `${words}，调整语速和情绪`,
  speed: (value: number) => `${value.toFixed(1)}×`,
  plain: "自然",
  recorded: "像参考音频",
  emotions: {
    happy: "高兴",
    angry: "生气",
    sad: "难过",
    afraid: "害怕",
    disgusted: "厌恶",
    melancholic: "低落",
    surprised: "惊讶",
    calm: "平静",
  } as Record<string, string>,
  more: (place: number) => `第 ${place} 句的更多操作`,
  menu: {
    fromHere: "从这里开始听",
    emphasis: "重读选中的字",
    readings: "这句的多音字",
    up: "上移",
    down: "下移",
    copy: "复制一句",
    mergeUp: "并入上一句",
    untime: "去掉时间",
    remove: "删除这句",
  },
  listen: (place: number) => `听第 ${place} 句`,
  listenFor: (place: number, characters: number) => `听第 ${place} 句，先生成，消耗 ${characters} 字`,
  pauseLine: (place: number) => `暂停第 ${place} 句`,
  characters: (count: number) => `${formatCount(count)} 字`,
  state: {
    made: (value: number) => `${seconds(value)} 秒`,
    playing: "正在播放",
    running: (share: number) => `${Math.round(share * 100)}%`,
    making: "正在生成",
    for: (value: number) => `${value} 秒`,
    waiting: (before: number) => `排队 ${before}`,
    failed: "没有成功",
    retry: "重试这句",
  },
  time: (startMs: number, endMs: number) => `${clock(startMs)} – ${clock(endMs)}`,
  timeLabel: (startMs: number, endMs: number) => `字幕时间 ${clock(startMs)} 到 ${clock(endMs)}`,
  overrun: (ms: number) => `超出 ${seconds(ms / 1000)} 秒`,
  undone: "已撤销",
  redone: "已重做",
  moved: (from: number, to: number) => `第 ${from} 句移到了第 ${to} 句`,
  removed: (place: number) => `删除了第 ${place} 句，可以撤销`,
  tooMany: (count: number) => `一份台词本最多 ${scriptLinesMax} 句，后面的 ${count} 句没有导入。`,
  put: (count: number) => `放进来 ${count} 句`,
  dragging: {
    instructions: "按空格或回车拿起这一句，用上下方向键移动，再按空格放下，按 Esc 取消。",
    picked: (place: number) => `拿起了第 ${place} 句`,
    over: (place: number) => `现在在第 ${place} 句的位置`,
    dropped: (place: number) => `放在了第 ${place} 句`,
    cancelled: "取消了移动",
  },
} as const;

/** Words for how a line is spoken. */
export const toneDialogCopy = {
  title: (name: string) => `${name}怎么念`,
  close: "关闭",
  done: "就这样念",
  forAll: (name: string, count: number) => `${name}的 ${count} 句都这样念`,
  sending: "正在上传录音",
} as const;

/** Words for choosing how a character is read, and how long a pause lasts. */
export const readingCopy = {
  label: "选择读音",
  question: { before: "“", behind: "”里读哪个？" },
  asking: "正在查这个字的读音",
  none: "没有查到别的读法。",
  listen: (pinyin: string) => `听一听${pinyin}`,
  forget: "按原样读",
  save: (word: string) => `“${word}”以后都这样读（我的词典）`,
  saved: (word: string) => `已存入我的词典：${word}`,
  next: "下一个多音字",
  previous: "上一个多音字",
  close: "关闭",
  sampleTitle: (text: string) => `读音：${text}`,
  pauseLabel: "停顿多久",
  removePause: "去掉停顿",
} as const;

interface RoleLookup {
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
  seeking: ({ names, count, lines }: RoleLookup) => `正在为这 ${lines} 句台词找角色：${names}${others(count)}`,
  notSought: ({ names, count, lines }: RoleLookup) =>
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

/** Words for two pages with one script. */
export const otherTabCopy = {
  conflict: "另一个页面也在改这份台词本。",
  theirs: "用那边的",
  mine: "留这边的",
  adopted: "已换成另一个页面里的最新内容",
} as const;
