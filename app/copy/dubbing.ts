import { scriptLinesMax, transcriptionMaxBytes, transcriptionMaxMinutes } from "~server/contract/limits";
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
  pasteTitle: "粘贴台词",
  pasteHint: "一行一句。写成“角色：台词”，会自动分给同名的角色。",
  pasteLabel: "台词",
  pastePlaceholder: "沈砚：天刚亮，菜市场已经热闹起来了。\n林小满：老板，这一行都是新到的吗？",
  put: "导入",
  tidied: "已去掉格式、网址和代码。要保留原样，请用“导入”里的“粘贴台词”。",
  close: "关闭",
  mapTitle: "选择每个角色的声音",
  mapHint: "这些名字没有对应的数字人。选一次，整份台词都会使用。",
  mapNarrator: "没有写名字的句子",
  asWords: "不是角色，按台词朗读",
  lines: (count: number) => `${count} 句`,
  timing: {
    label: "说话的时间",
    timed: "按字幕时间",
    natural: "按自然语速",
    notes: {
      timed: "每句从字幕的时间开始。说不完时先缩短停顿，再加快到最多 1.2 倍。",
      natural: "不用字幕的时间，一句接一句地说。",
      none: "当前服务不能按字幕时间说话，台词会一句接一句地说。",
    },
  },
  moods: "把（轻声）（笑着说）这类提示当作语气，不念出来",
  moodsLocked: "语气需要专业会员，这次只去掉这些提示。",
  replace: "替换现有台词",
  append: "追加到末尾",
  where: "如何导入",
  opening: (file: string) => `正在打开 ${file}`,
  listening: (file: string) => `正在识别 ${file} 里的话`,
  noSpeech: "录音里没有听到人说话。",
  /** Sentences by refusal code; other codes have their usual sentence. */
  soundFailures: {
    "reference-too-long": `录音超过 ${transcriptionMaxMinutes} 分钟，请剪成几段后重试。`,
    "reference-not-audio": "无法读取这个音频，请另存为 MP3 或 WAV 后重试。",
    "too-large": `录音文件太大，请压缩到 ${transcriptionMaxBytes / 2 ** 20} MB 以内后重试。`,
    "login-expired": "登录后才能识别录音。",
  } as Partial<Record<string, string>>,
  seeking: ({ names, count, lines }: RoleLookup) => `正在为 ${lines} 句台词匹配角色：${names}${others(count)}`,
  notSought: ({ names, count, lines }: RoleLookup) =>
    `角色查询失败：${names}${others(count)}。${lines} 句台词都已保留，请检查网络后重试。`,
  again: "重试",
  chooseNow: "手动选择",
  failures: {
    "too-large": "文件太大，请拆成 20 MB 以内的文件。",
    unreadable: "无法读取文件中的文字，请另存为 .txt、.srt 或 .docx 后重试。",
    encrypted: "这本电子书有加密保护，无法读取。请换成没有加密的文件。",
    empty: "这个文件里没有台词。",
    "not-now": "暂时无法打开这个文件，请检查网络后重试。",
    "not-stored": "浏览器的存储空间可能已满，没有导入。请清理空间后重试。",
  },
  brokenTime: ({ number, row }: { number: number; row: string }) =>
    `第 ${number} 行的时间无法识别：“${row.slice(0, 40)}”。请改成 00:00:01,000 --> 00:00:02,500 这样的写法后重试。`,
  encoding: {
    title: "选择文字编码",
    hint: (file: string) => `无法确定“${file}”的文字编码。请选择文字显示正常的一项。`,
    names: {
      gb18030: "简体中文（GBK）",
      big5: "繁体中文（Big5）",
      "utf-8": "UTF-8",
      "utf-16le": "UTF-16",
      "utf-16be": "UTF-16 BE",
      "windows-1252": "西文（Windows-1252）",
    },
  },
  novel: {
    title: "按人物分配声音？",
    hint: (unsure: number) =>
      `引号里的话分给说话的人，其余由旁白读。${unsure > 0 ? `有 ${unsure} 句不能确定是谁说的，会标出来。` : ""}`,
    others: (count: number) => `还有 ${count} 人`,
    cast: "按人物分配",
    narrator: "一个声音读完",
  },
  withoutNotes: "书里的注释没有导入",
  chapters: (count: number) => `已导入 ${count} 章，每章是一个项目`,
  drop: "松开即可导入",
  sceneFailed: "暂时无法打开，请检查网络后重试。",
} as const;

/** Texts of a script that is open in two tabs. */
export const otherTabCopy = {
  conflict: "这份台词正在另一个页面编辑。",
  theirs: "使用另一个页面的",
  mine: "保留这个页面的",
  adopted: "已更新为另一个页面的内容",
} as const;

/** Names of the music under the speech. */
export const musicRowCopy = {
  label: "背景音乐",
  names: { calm: "舒缓", bright: "明快", tense: "紧张", own: "我的" },
  text: ({ track, name, level }: { track: "calm" | "bright" | "tense" | "own"; name?: string; level: number }) =>
    `${name || musicRowCopy.names[track]} · ${level === 0 ? "和人声一样响" : `比人声低 ${-level} dB`}`,
} as const;
