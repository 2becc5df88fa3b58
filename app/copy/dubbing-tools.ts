import { musicSeconds, projectRestoreDays, projectsMax, takeDays } from "~server/contract/limits";
import { formatCount } from "./format";

/** Texts of the list of projects. The words in this file load with the parts that show them. */
export const projectCopy = {
  title: "我的项目",
  note: "项目保存在这个浏览器里，登录后存进账号，换一台设备也能接着写。",
  chapters: (count: number) => `已导入 ${count} 章，每章是一个项目；在“我的项目”里可以一次生成全书`,
  notStored: "浏览器的存储空间可能已满，没有导入。请清理空间后重试。",
  accountNote: `项目存在账号里，换一台设备也能接着写。最多 ${projectsMax} 个，删除后 ${projectRestoreDays} 天内可以恢复。`,
  close: "关闭",
  search: "搜索项目",
  create: "新建项目",
  list: "项目列表",
  untitled: "未命名项目",
  loading: "正在加载",
  empty: "没有找到项目，请换个关键词。",
  current: "当前",
  open: (title: string) => `打开${title}`,
  size: (lines: number, characters: number) => `${formatCount(lines)} 句 · ${formatCount(characters)} 字`,
  rename: (title: string) => `重命名${title}`,
  name: "项目名称",
  saveName: "保存",
  duplicate: (title: string) => `复制${title}`,
  copyOf: (title: string) => `${title} 副本`,
  remove: (title: string) => `删除${title}`,
  removed: (title: string) => `已删除“${title}”`,
  restore: "撤销",
  deleted: "最近删除",
  failed: "保存失败，浏览器的存储空间可能已满。",
  offline: "没有连上网络，改动先存在这台设备，联网后自动存进账号。",
  tooLarge: "这个项目太大，账号里放不下，只存在这台设备。",
  notHere: "这个项目还没有下载到这台设备，联网后再打开。",
  changedTwice: (title: string, lines: number) =>
    lines > 0
      ? `“${title}”有 ${formatCount(lines)} 句在另一台设备上也改过，两种写法都留下了。`
      : `“${title}”的标题或音乐在另一台设备上也改过，已换成那边的。`,
  versions: "历史版本",
  noVersions: "还没有历史版本。生成配音或替换台词时会自动保存一份。",
  restoreVersion: (when: string) => `恢复 ${when} 的版本`,
  restoreShort: "恢复",
  restored: "已恢复到历史版本，可以撤销。",
} as const;

/** Texts of a book whose chapters are projects. */
export const bookCopy = {
  label: "整本书",
  state: (name: string, chapters: number, done: number) =>
    `${name ? `《${name}》` : "这本书"}共 ${chapters} 章${done > 0 ? `，已生成或正在生成 ${done} 章` : ""}`,
  cost: (characters: number) => `最多消耗 ${formatCount(characters)} 字，生成过的句子不再扣`,
  all: (chapters: number) => `生成全书 ${chapters} 章`,
  rest: (chapters: number) => `生成其余 ${chapters} 章`,
  submitting: (at: number, of: number) => `正在提交第 ${at} 章，共 ${of} 章`,
  done: "每一章都在配音记录里，导出 M4B 得到整本有声书。",
  stopped: (title: string, reason: string) => `“${title}”和后面的章节没有开始：${reason}`,
} as const;

/** Texts of the bar for selected lines. */
export const bulkCopy = {
  label: "选中的台词",
  count: (count: number) => `已选 ${formatCount(count)} 句`,
  all: "全选",
  sameRole: "选同角色",
  sameRoleTitle: "选中这些角色的全部台词",
  role: "换角色",
  tone: "语气",
  speed: "语速",
  pause: "句后停顿",
  pauseShort: "停顿",
  noPause: "自然停顿",
  remove: "删除",
  removed: (count: number) => `已删除 ${formatCount(count)} 句`,
  undo: "撤销",
  close: "取消选择",
  toneTitle: (count: number) => `${formatCount(count)} 句的语气`,
  roleForAll: (name: string, count: number) => `${name}的 ${formatCount(count)} 句都换`,
} as const;

/** Texts of the bar that finds and replaces. */
export const findCopy = {
  label: "查找和替换",
  find: "查找",
  replaceWith: "替换为",
  count: (place: number, count: number) => (count === 0 ? "没有找到" : `第 ${place} 处，共 ${formatCount(count)} 处`),
  short: (place: number, count: number) => `${place}/${formatCount(count)}`,
  previous: "上一处",
  next: "下一处",
  replace: "替换",
  replaceAll: "全部替换",
  replaced: (count: number) => `已替换 ${formatCount(count)} 处，可以撤销。`,
  close: "关闭查找",
} as const;

/** Texts of the takes of a line. */
export const takesCopy = {
  title: (place: number) => `第 ${place} 句的版本`,
  hint: `保留最近 5 次生成的声音，${takeDays} 天内有效，不另收费。按数字键播放，按 X 在最近听的两个版本之间切换。`,
  close: "关闭",
  list: "版本列表",
  empty: "这一句还没有生成过。听一次以后，每次改动生成的声音都会留在这里。",
  name: (place: number) => `版本 ${place}`,
  play: (place: number) => `播放版本 ${place}`,
  pause: (place: number) => `暂停版本 ${place}`,
  current: "正在使用",
  choose: "使用",
  chooseLabel: (place: number) => `使用版本 ${place}`,
  text: "恢复文字",
  textLabel: (place: number) => `恢复版本 ${place} 的文字`,
  used: (place: number) => `已换成版本 ${place}，可以撤销。`,
  textUsed: (place: number) => `已恢复版本 ${place} 的文字，可以撤销。`,
} as const;

/** Texts of the dialog for the music under the speech. */
export const musicCopy = {
  title: "背景音乐",
  note: "垫在人声下面，有人说话时自动变轻。换音乐不消耗字数，导出的音频和视频里都有。",
  close: "关闭",
  track: "选择音乐",
  none: "无",
  file: "音乐文件",
  choose: "选择文件",
  change: "换一个文件",
  sending: "正在上传",
  fileNote: `MP3、WAV、FLAC 或 OGG，${musicSeconds.min} 秒到 ${musicSeconds.max / 60} 分钟。请使用你有权使用的音乐。`,
  savedFile: "已上传的音乐",
  login: "登录后可以上传音乐。",
  logIn: "登录",
  noFile: "请先选择音乐文件。",
  level: "音量",
  levelText: (decibels: number) => (decibels === 0 ? "和人声一样响" : `比人声低 ${-decibels} dB`),
  duck: "说话时再降低",
  duckText: (decibels: number) => `${decibels} dB`,
  fadeIn: "淡入",
  fadeOut: "说完后淡出",
  fadeText: (seconds: number) => (seconds === 0 ? "无" : `${seconds} 秒`),
  listen: "试听",
  preparing: "正在准备",
  stop: "停止",
  musicOnly: "还没有生成的台词，先只听音乐。",
  withSpeech: "用已生成的前几句和音乐一起试听。",
  failed: "试听失败，请检查网络后重试。",
  use: "使用",
  remove: "不用音乐",
} as const;

/** Scripts to try, each in the roles of the square. */
export const scenes = {
  market: [
    "沈砚：天刚亮，菜市场已经热闹起来了。",
    "林小满：老板，这些菜都是新到的吗？#0.5#给我来两斤。",
    "阿福：您放心，今早五点刚到的，个个水灵！",
    "林小满：那再帮我挑一把小葱。",
    "沈砚：她拎着两大袋菜，笑着往家走。",
  ],
  product: [
    "许知微：早上倒进去的热水，晚上下班还是烫的。",
    "许知微：这款保温杯，内胆是三一六不锈钢，装茶、装咖啡都不串味。",
    "许知微：杯盖单手就能打开，放进包里也不漏。",
    "许知微：现在下单，再送一个杯刷。",
  ],
  story: [
    "顾长风：那一夜，雨下得很大。",
    "顾长风：客栈的门忽然被推开，进来一个浑身湿透的人。",
    "程老先生：客官，这么晚了，您从哪里来？",
    "顾长风：那人没有回答，只把一封信放在了桌上。",
  ],
} as const;
