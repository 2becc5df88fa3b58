import { openedFileMaxMb, scriptLinesMax } from "~server/contract/limits";
import { formatCount, formatSpeed } from "./format";

const clock = (ms: number) => {
  const tenths = Math.round(ms / 100);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${two(Math.floor(tenths / 600))}:${two(Math.floor(tenths / 10) % 60)}.${tenths % 10}`;
};

const seconds = (value: number) => value.toFixed(1);

/** Texts of the dubbing page: the script editor. */
export const editorCopy = {
  title: "标题",
  untitled: "起个标题",
  saved: "已自动保存",
  saving: "正在保存",
  notSaved: "保存失败，请不要关闭页面",
  opening: "正在加载台词",
  script: "台词",
  projects: "我的项目",
  openFile: "打开文件",
  slides: "课件配音",
  openSound: "识别录音",
  soundNote: "转成带时间的台词",
  import: "导入",
  paste: "粘贴台词",
  pause: "停顿",
  pauseAfter: (value: number) => `句后停 ${value} 秒`,
  pauseHint: "插入到光标处",
  export: "导出",
  undo: "撤销",
  redo: "重做",
  startOver: "清空台词",
  startedOver: "已清空台词，可以撤销。",
  add: "加一句",
  line: (place: number, name: string) => `第 ${place} 句，${name}`,
  words: (place: number, name: string) => `第 ${place} 句台词，${name}`,
  placeholder: "写一句台词。按回车换到下一句，粘贴“角色：台词”可以一次导入多句",
  grip: (place: number) => `选中第 ${place} 句`,
  gripTitle: "点按选中，按住拖动",
  role: (name: string) => `${name}，更换角色`,
  noRole: "选择角色",
  goneRole: "角色已删除",
  unsureSpeaker: (name: string) => `${name}（不确定）`,
  delivery: (words: string) => `${words}，调整语速和情绪`,
  speed: formatSpeed,
  more: (place: number) => `第 ${place} 句的更多操作`,
  menu: {
    fromHere: "从这里开始听",
    emphasis: "重读选中的字",
    readings: "这句的多音字",
    takes: "听以前的版本",
    up: "上移",
    down: "下移",
    copy: "复制这句",
    mergeUp: "并入上一句",
    untime: "移除字幕时间",
    remove: "删除这句",
  },
  listen: (place: number) => `听第 ${place} 句`,
  listenFor: (place: number, characters: number) => `听第 ${place} 句，需要先生成，消耗 ${characters} 字`,
  pauseLine: (place: number) => `暂停第 ${place} 句`,
  characters: (count: number) => `${formatCount(count)} 字`,
  state: {
    made: (value: number) => (value > 0 ? `${seconds(value)} 秒` : "已生成"),
    playing: "正在播放",
    running: (share: number) => `${Math.round(share * 100)}%`,
    making: "正在生成",
    for: (value: number) => `${value} 秒`,
    waiting: (before: number) => `排队 ${before}`,
    failed: "生成失败",
    retry: "重试这句",
  },
  time: (startMs: number, endMs: number) => `${clock(startMs)} – ${clock(endMs)}`,
  timeLabel: (startMs: number, endMs: number) => `字幕时间 ${clock(startMs)} 到 ${clock(endMs)}`,
  doubts: (words: readonly string[]) =>
    `这一句可能念错了：${words.slice(0, 3).join("、")}${words.length > 3 ? "等" : ""}`,
  undone: "已撤销",
  redone: "已重做",
  moved: (from: number, to: number) => `已将第 ${from} 句移到第 ${to} 句`,
  removed: (place: number) => `已删除第 ${place} 句，可以撤销`,
  removedMany: (count: number) => `已删除 ${count} 句，可以撤销`,
  tooMany: (count: number) => `一份台词最多 ${scriptLinesMax} 句，后面的 ${count} 句没有导入。`,
  put: (count: number) => `已导入 ${count} 句`,
  dragging: {
    instructions:
      "按空格选中，按 Shift 和上下方向键选中多句。按回车拿起这一句，用上下方向键移动，再按回车放下，按 Esc 取消。",
    picked: (place: number) => `已拿起第 ${place} 句`,
    over: (place: number) => `移动到第 ${place} 句的位置`,
    dropped: (place: number) => `已放到第 ${place} 句`,
    cancelled: "已取消移动",
  },
} as const;

/** Offers for an empty script. */
export const sceneOfferCopy = {
  heading: "先试一段",
  scenes: { market: "对话：清晨的菜市场", product: "口播：一款保温杯", story: "有声书：雨夜来客" },
} as const;

/** Texts of a line's tone. */
export const toneDialogCopy = {
  title: (name: string) => `${name}的语气`,
  close: "关闭",
  done: "应用",
  forAll: (name: string, count: number) => `应用到${name}的 ${count} 句`,
  sending: "正在上传录音",
} as const;

interface RoleLookup {
  /** The first few. */
  names: string;
  count: number;
  /** Number of lines in the script. */
  lines: number;
}

const others = (count: number) => (count > 3 ? `等 ${count} 个` : "");

/** Texts of imported scripts: pasted, or opened as files. */
export const importCopy = {
  tidied: "已去掉格式、网址和代码。要保留原样，请用“导入”里的“粘贴台词”。",
  opening: (file: string) => `正在打开 ${file}`,
  listening: (file: string) => `正在识别 ${file} 里的话`,
  seeking: ({ names, count, lines }: RoleLookup) => `正在为 ${lines} 句台词匹配角色：${names}${others(count)}`,
  notSought: ({ names, count, lines }: RoleLookup) =>
    `角色查询失败：${names}${others(count)}。${lines} 句台词都已保留，请检查网络后重试。`,
  again: "重试",
  chooseNow: "手动选择",
  failures: {
    "too-large": `文件太大，请拆成 ${openedFileMaxMb} MB 以内的文件。`,
    unreadable: "无法读取文件中的文字，请另存为 .txt、.srt 或 .docx 后重试。",
    encrypted: "这本电子书有加密保护，无法读取。请换成没有加密的文件。",
    empty: "这个文件里没有台词。",
    "not-now": "暂时无法打开这个文件，请检查网络后重试。",
  },
  drop: "松开即可导入",
  sceneFailed: "暂时无法打开，请检查网络后重试。",
} as const;

/** Texts of a script that is open in two tabs. */
export const otherTabCopy = {
  conflict: "这份台词正在另一个页面编辑。",
  theirs: "使用另一个页面的",
  mine: "保留这个页面的",
  adopted: "已更新为另一个页面或设备的内容",
} as const;

/** Names of the music under the speech. */
export const musicRowCopy = {
  label: "背景音乐",
  names: { calm: "舒缓", bright: "明快", tense: "紧张", own: "我的" },
  text: ({ track, name, level }: { track: "calm" | "bright" | "tense" | "own"; name?: string; level: number }) =>
    `${name || musicRowCopy.names[track]} · ${level === 0 ? "和人声一样响" : `比人声低 ${-level} dB`}`,
} as const;
