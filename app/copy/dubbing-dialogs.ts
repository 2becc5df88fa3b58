import { transcriptionMaxBytes, transcriptionMaxMinutes } from "~server/contract/limits";
import { formatCount } from "./format";

/** Words of the dubbing page that are loaded on demand: its dialogs of imports, and what few lines and tasks need. */
export const importDialogCopy = {
  /** Sentences by refusal code; other codes have their usual sentence. */
  soundFailures: {
    "reference-too-long": `录音超过 ${transcriptionMaxMinutes} 分钟，请剪成几段后重试。`,
    "reference-not-audio": "无法读取这个音频，请另存为 MP3 或 WAV 后重试。",
    "too-large": `录音文件太大，请压缩到 ${transcriptionMaxBytes / 2 ** 20} MB 以内后重试。`,
    "login-expired": "登录后才能识别录音。",
  } as Partial<Record<string, string>>,
  noSpeech: "录音里没有听到人说话。",
  brokenTime: ({ number, row }: { number: number; row: string }) =>
    `第 ${number} 行的时间无法识别：“${row.slice(0, 40)}”。请改成 00:00:01,000 --> 00:00:02,500 这样的写法后重试。`,
  notes: {
    title: "要读出书里的注释吗？",
    text: "读出的注释留在原来的位置。正文里的注释编号都不读。",
    confirm: "读出注释",
    cancel: "不读注释",
  },
  pasteTitle: "粘贴台词",
  pasteHint: "一行一句。写成“角色：台词”，会自动分给同名的角色。",
  pasteLabel: "台词",
  pastePlaceholder: "沈砚：天刚亮，菜市场已经热闹起来了。\n林小满：老板，这一行都是新到的吗？",
  put: "导入",
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
} as const;

/** Texts of lines that are longer than their subtitles. */
export const overrunCopy = {
  over: (ms: number) => `超时 ${(ms / 1000).toFixed(1)} 秒`,
  shorten: "缩短",
  faster: "再快一点",
  allow: "允许超出",
  forLine: (label: string, place: number) => `${label}，第 ${place} 句`,
  count: (count: number) => `${formatCount(count)} 句在字幕时间里说不完`,
  auto: "全部自动",
  autoHint: "自动加快到最多 1.5 倍，仍说不完的允许超出，并重新生成，不另收费",
} as const;

const taskNames: Readonly<Record<string, string>> = { dub: "配音", clone: "语音", video: "视频", role: "数字人" };

/** The browser's own notice for a page in the background. */
export const endNoticeCopy = {
  ask: "完成后提醒我",
  asked: "完成后会用浏览器通知提醒你",
  denied: "浏览器没有允许通知，可以在地址栏的网站设置里打开",
  title: (kind: string, isDone: boolean) => `${taskNames[kind] ?? "任务"}${isDone ? "已经完成" : "没有成功"}`,
  hint: "点这里回到页面",
};
