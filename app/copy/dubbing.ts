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
  pauseFor: (value: number) => `停 ${value} 秒`,
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
  hush: (place: number) => `暂停第 ${place} 句`,
  characters: (count: number) => `${formatCount(count)} 字`,
  state: {
    made: (value: number) => `${seconds(value)} 秒`,
    playing: "正在播放",
    running: (share: number) => `${Math.round(share * 100)}%`,
    making: "正在生成",
    waiting: (before: number) => `排队 ${before}`,
    failed: "没有成功",
    retry: "重试这句",
  },
  time: (startMs: number, endMs: number) => `${clock(startMs)} – ${clock(endMs)}`,
  timeSaid: (startMs: number, endMs: number) => `字幕时间 ${clock(startMs)} 到 ${clock(endMs)}`,
  overrun: (ms: number) => `超出 ${seconds(ms / 1000)} 秒`,
  undone: "已撤销",
  redone: "已重做",
  moved: (from: number, to: number) => `第 ${from} 句移到了第 ${to} 句`,
  removed: (place: number) => `删除了第 ${place} 句，可以撤销`,
  tooMany: (count: number) => `一份台词本最多 500 句，后面的 ${count} 句没有放进来。`,
  put: (count: number) => `放进来 ${count} 句`,
  dragging: {
    instructions: "按空格或回车拿起这一句，用上下方向键移动，再按空格放下，按 Esc 取消。",
    picked: (place: number) => `拿起了第 ${place} 句`,
    over: (place: number) => `现在在第 ${place} 句的位置`,
    dropped: (place: number) => `放在了第 ${place} 句`,
    cancelled: "取消了移动",
  },
} as const;

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
  failures: {
    "too-large": "文件太大，请分成 20 MB 以内的几份。",
    unreadable: "这个文件读不出文字，请另存为 .txt、.srt 或 .docx 再试。",
    empty: "这个文件里没有台词。",
  },
  drop: "松开放进台词本",
} as const;

export const makingCopy = {
  go: "生成配音",
  going: "正在生成",
  cancel: "取消",
  listenAll: "听全文",
  pauseAll: "暂停",
  listenDone: "先听已完成的",
  cost: {
    nothing: "没有改动，不用再花字数",
    empty: "先写一句台词",
    all: (count: number) => `共 ${count} 句，将消耗 `,
    changed: (count: number) => `只改了 ${count} 句，将消耗 `,
    unit: " 字",
    left: " · 本月还剩 ",
    trial: (left: number) => `将用 1 次试用，还剩 ${left} 次`,
    visitor: (count: number) => `共 ${formatCount(count)} 字，登录后生成`,
    over: (count: number, limit: number) => `每次最多 ${formatCount(limit)} 字，多了 ${formatCount(count - limit)} 字`,
    noRole: (place: number) => `第 ${place} 句还没有角色`,
    short: "本月字数不够了",
  },
  takeTitle: "先听一遍？",
  takeText: (lines: number, characters: number) =>
    `有 ${lines} 句还没有生成，听之前先生成，消耗 ${characters} 字。之后生成配音时这些句子不再收。`,
  takeTrial: (lines: number, left: number) =>
    `有 ${lines} 句还没有生成，听之前先生成，会用 1 次试用（还剩 ${left} 次）。`,
  take: "生成并听",
  takeCancel: "先不听",
  progress: "生成进度",
  done: "配音生成好了",
  failedAt: (place: number) => `第 ${place} 句没有生成成功，字数已退回`,
  failed: "没有生成成功，字数已退回",
  cancelled: "已取消，字数已退回",
  subtitle: (place: number, name: string) => `第 ${place} 句 · ${name}`,
  said: (done: number, total: number) => `已生成 ${done} 句，共 ${total} 句`,
} as const;

export const recordsCopy = {
  heading: "配音记录",
  search: "搜索标题或台词",
  loading: "正在打开配音记录",
  list: "配音记录",
  lines: (count: number) => `${count} 句`,
  roles: (count: number) => `${count} 位角色`,
  segments: (done: number, total: number) => `第 ${done} / ${total} 句`,
  queued: (before: number) => `排队 ${before}`,
  fast: "快速通道",
  play: (title: string) => `播放${title}`,
  pause: (title: string) => `暂停${title}`,
  export: (title: string) => `导出${title}`,
  exportShort: "导出",
  edit: "再改改",
  retry: "重试",
  cancel: "取消",
  remove: "删除",
  removeText: (title: string) => `“${title}”的音频和字幕会一起删除，找不回来。`,
  removed: "已删除",
  empty: "还没有配音。写好台词，点“生成配音”，结果会留在这里。",
  visitor: "登录以后，生成的配音会留在这里。",
  login: "登录",
  nothingFound: "没有找到这样的配音。",
  failed: "配音记录没有打开",
  again: "再试一次",
  more: "更早的",
  loadingMore: "正在打开",
  replaced: "换成了这份配音的台词，撤销可以找回刚才的。",
  formats: {
    mp3: "MP3 音频",
    wav: "WAV 音频",
    zip: "每句一个文件（zip）",
    srt: "SRT 字幕",
    lrc: "LRC 歌词",
    vtt: "VTT 字幕",
  },
  exportHint: "生成配音以后就能导出",
  exportStale: "改过的句子还没有生成，导出的是上一次的配音",
} as const;

export const tabsCopy = {
  conflict: "另一个页面也在改这份台词本。",
  theirs: "用那边的",
  mine: "留这边的",
  adopted: "已换成另一个页面里的最新内容",
} as const;

const minute = 60_000;

/** 刚刚 · 5 分钟前 · 今天 08:12 · 11月3日 08:12. */
export function formatWhen(at: string, nowMs: number): string {
  const atMs = Date.parse(at);
  if (!Number.isFinite(atMs)) return "";
  const ago = nowMs - atMs;
  if (ago < minute) return "刚刚";
  if (ago < 60 * minute) return `${Math.floor(ago / minute)} 分钟前`;
  const zone = { timeZone: "Asia/Shanghai" } as const;
  const time = new Intl.DateTimeFormat("zh-CN", { ...zone, hour: "2-digit", minute: "2-digit", hour12: false }).format(
    atMs,
  );
  const day = (ms: number) => new Intl.DateTimeFormat("zh-CN", { ...zone, month: "long", day: "numeric" }).format(ms);
  return day(atMs) === day(nowMs) && ago < 24 * 60 * minute ? `今天 ${time}` : `${day(atMs)} ${time}`;
}

export const toneDialogCopy = {
  title: (name: string) => `${name}怎么念`,
  close: "关闭",
  done: "就这样念",
  forAll: (name: string, count: number) => `${name}的 ${count} 句都这样念`,
  sending: "正在上传录音",
} as const;
