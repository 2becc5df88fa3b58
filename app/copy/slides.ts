import { openedFileMaxMb, videoPagesMax } from "~server/contract/limits";
import { dubGenerationCopy } from "./dubbing-records";
import { formatCount } from "./format";

/** Texts of the page where slides get a voice. */
export const slidesCopy = {
  opening: "正在加载课件",
  reading: (file: string) => `正在读取 ${file}`,
  open: "打开课件",
  openOther: "换一份课件",
  addPictures: "放入 PDF 画面",
  file: "课件文件",
  toLines: "按台词配音",
  drop: "松开即可打开",
  emptyHeading: "让课件自己讲",
  emptySteps: ["打开 PDF 或 PPTX，每页的备注或文字就是讲稿，可以修改", "选一个声音，逐页试听，生成配音"],
  filmStep: "生成视频：课件一页一页放，配上字幕和会说话的人",
  emptyNote: (hasFilms: boolean) =>
    `PDF 有画面。PPTX 只读取备注和文字，画面请在 PowerPoint 或 WPS 里导出成 PDF 再放进来。最多 ${videoPagesMax} 页、${openedFileMaxMb} MB，文件不会上传${hasFilms ? "，生成视频时才上传页面图片" : ""}。`,
  noPictures: "PPTX 已读取备注和文字。请把同一份课件导出成 PDF，点“放入 PDF 画面”，页面就有画面了。",
  strip: "页面",
  page: (place: number, title: string) => (title ? `第 ${place} 页，${title}` : `第 ${place} 页`),
  place: (place: number, total: number) => `第 ${place} / ${total} 页`,
  picture: (place: number) => `第 ${place} 页的画面`,
  noPicture: "没有画面",
  script: (place: number) => `第 ${place} 页讲稿`,
  placeholder: "写上这一页的讲稿",
  noText: "这一页没有文字，请写上讲稿。没有讲稿的页会跳过。",
  hiddenNote: "这一页已隐藏，生成时跳过。",
  hiddenMark: "已隐藏",
  blankMark: "没有讲稿",
  hide: "隐藏这一页",
  show: "显示这一页",
  up: "前移",
  down: "后移",
  remove: "删除这一页",
  removed: (place: number) => `已删除第 ${place} 页，可以撤销`,
  moved: (from: number, to: number) => `已将第 ${from} 页移到第 ${to} 页`,
  keys: "用方向键换页，按 Alt 和方向键移动这一页",
  replaceTitle: "换一份课件？",
  replaceText: "现在的页面和讲稿会被替换，已经生成的配音还在配音记录里。",
  replace: "替换",
  scriptsTitle: "使用 PPTX 里的讲稿？",
  scriptsText: "页数一样。用 PPTX 的备注和文字替换现在的讲稿，画面不变。",
  opened: (count: number) => `已打开 ${count} 页`,
  tooMany: (total: number) => `课件有 ${total} 页，只打开前 ${videoPagesMax} 页。`,
  scanned: (count: number) => `有 ${count} 页没有文字，请写上讲稿。`,
  otherCount: (pdf: number, show: number) => `PDF 有 ${pdf} 页，PPTX 有 ${show} 页，按页码对应，请检查画面。`,
  notStored: "浏览器的存储空间可能已满，刷新后需要重新打开课件。",
  faults: {
    "too-large": `文件太大，请压缩到 ${openedFileMaxMb} MB 以内后重试。`,
    "old-ppt": "旧版 PPT 和有密码的 PPTX 无法读取，请另存为没有密码的 PPTX，或导出成 PDF 后重试。",
    encrypted: "这个 PDF 有密码，请先去掉密码后重试。",
    unreadable: "无法读取这个文件，请重新导出成 PDF 或 PPTX 后重试。",
    "not-now": "暂时无法打开这个文件，请检查网络后重试。",
  },
  cost: {
    ...dubGenerationCopy.cost,
    empty: "请先打开课件，或写上讲稿",
    all: (count: number) => `共 ${count} 页`,
    changed: (count: number) => `只改了 ${count} 页`,
    overLine: (place: number, count: number, limit: number) =>
      `第 ${place} 页有 ${formatCount(count)} 字，每页最多 ${formatCount(limit)} 字，请精简`,
  },
  progressText: (done: number, total: number) => `已生成 ${done} 页，共 ${total} 页`,
  film: "生成视频",
} as const;

/** Texts of the dialog that makes a film of slides. */
export const slidesFilmCopy = {
  face: "讲解人",
  corners: { "bottom-right": "右下角", "bottom-left": "左下角", "top-left": "左上角", none: "不要" },
  pages: (count: number) => `共 ${count} 页，MP4 视频按页分章节。`,
  uploading: (done: number, total: number) => `正在准备第 ${done} / ${total} 页画面`,
} as const;
