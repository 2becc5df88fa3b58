import { formatCount, formatMoment } from "./format";
import { costCopy } from "./generation";

/** Texts of a dub's price, generation and playback. */
export const dubGenerationCopy = {
  go: "生成配音",
  going: "正在生成",
  started: "已开始生成，完成后在记录里",
  cancel: "取消",
  listenAll: "听全文",
  pauseAll: "暂停",
  listenDone: "试听已完成的",
  cost: {
    nothing: "没有改动，再次生成免费",
    empty: "请先写一句台词",
    all: (count: number) => `共 ${count} 句`,
    changed: (count: number) => `只改了 ${count} 句`,
    visitor: (count: number) => `共 ${formatCount(count)} 字，登录后生成`,
    over: (count: number, limit: number) => `每次最多 ${formatCount(limit)} 字，超出 ${formatCount(count - limit)} 字`,
    overLine: (place: number, count: number, limit: number) =>
      `第 ${place} 句有 ${formatCount(count)} 字，每句最多 ${formatCount(limit)} 字，请拆成几句`,
    overScript: (count: number, limit: number) =>
      `一份台词最多 ${formatCount(limit)} 字，超出 ${formatCount(count - limit)} 字`,
    noRole: (place: number) => `第 ${place} 句还没有选角色`,
    short: "字数不足",
  },
  length: (about: string, clock: string) => `全长${about} ${clock}`,
  about: "约",
  lines: (count: number) => `${formatCount(count)} 句`,
  overview: "在全文中定位",
  overviewLine: (place: number) => `第 ${place} 句`,
  find: "查找和替换",
  takeTitle: "生成并试听？",
  takeText: (lines: number, characters: number) =>
    `有 ${lines} 句还没有生成，需要先生成，消耗 ${characters} 字。之后生成配音时，这些句子不再扣字数。`,
  takeTrial: (lines: number, leftAfter: number) =>
    `有 ${lines} 句还没有生成，需要先生成，${costCopy.takesTrial(leftAfter)}。`,
  take: "生成并试听",
  takeCancel: "取消",
  progress: "生成进度",
  done: "配音生成完成",
  failedAt: (place: number) => `第 ${place} 句生成失败，字数已退回`,
  failed: "生成失败，字数已退回",
  cancelled: "已取消，字数已退回",
  subtitle: (place: number, name: string) => `第 ${place} 句 · ${name}`,
  progressText: (done: number, total: number) => `已生成 ${done} 句，共 ${total} 句`,
} as const;
/** Texts of the dubbing records. */
export const dubbingRecordsCopy = {
  heading: "配音记录",
  /** A dub without a title whose upstream keeps no text. */
  nameless: "配音",
  search: "搜索标题或台词",
  loading: "正在加载配音记录",
  list: "配音记录",
  lines: (count: number) => `${count} 句`,
  roles: (count: number) => `${count} 位角色`,
  segments: (done: number, total: number) => `第 ${done} / ${total} 句`,
  queued: (before: number) => `排队 ${before}`,
  fast: "快速通道",
  play: (title: string) => `播放${title}`,
  pause: (title: string) => `暂停${title}`,
  export: (title: string) => `导出${title}`,
  menu: (title: string) => `更多操作：${title}`,
  earlier: (count: number) => `较早的 ${count} 个版本`,
  earlierList: (title: string) => `${title}的较早版本`,
  film: "生成视频",
  exportShort: "导出",
  edit: "修改",
  retry: "重试",
  cancel: "取消",
  remove: "删除",
  removeText: (title: string) => `“${title}”的音频和字幕会一起删除，无法恢复。`,
  removed: "已删除",
  empty: "还没有配音。写好台词，点“生成配音”，结果会保存在这里。",
  visitor: "登录后，生成的配音会保存在这里。",
  login: "登录",
  nothingFound: "没有找到配音，请换个关键词。",
  failed: "配音记录加载失败",
  again: "重试",
  more: "加载更多",
  loadingMore: "正在加载",
  replaced: "已换成这份配音的台词，可以撤销。",
  formats: {
    mp3: "MP3 音频",
    wav: "WAV 音频",
    m4a: "M4A 音频",
    m4b: "M4B 有声书",
    flac: "FLAC 无损音频",
    zip: "剪辑素材：整段、每句和字幕（zip）",
    srt: "SRT 字幕",
    lrc: "LRC 歌词",
    vtt: "VTT 字幕",
  },
  wholeBook: "全书已生成的章节",
  exportScript: "台词文本（可再次导入）",
  exportHint: "生成配音后可以导出",
  exportStale: "有修改尚未生成，导出的是上一次的配音",
} as const;

const minute = 60_000;
const hour = 60 * minute;
/** China's clock; it knows no summer time. */
const chinaMs = 8 * hour;

/** 刚刚 · 5 分钟前 · 今天 08:12 · 11 月 3 日 08:12. Without the browser's own formatter, which every record would have to wait for. */
export function formatWhen(at: string, nowMs: number): string {
  const atMs = Date.parse(at);
  if (!Number.isFinite(atMs)) return "";
  const ago = nowMs - atMs;
  if (ago < minute) return "刚刚";
  if (ago < hour) return `${Math.floor(ago / minute)} 分钟前`;
  const [then, now] = [new Date(atMs + chinaMs), new Date(nowMs + chinaMs)];
  const isToday = then.toISOString().slice(0, 10) === now.toISOString().slice(0, 10);
  return isToday ? `今天 ${then.toISOString().slice(11, 16)}` : formatMoment(then.toISOString());
}
