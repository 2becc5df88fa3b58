import type { ErrorCode } from "~server/contract/codes";
import { referenceLeastSeconds, roleDescribeMax, roleNameMax } from "~server/contract/limits";
import { errorSentences } from "./errors";
import { formatCount } from "./format";

/** Texts of the page of voice digital humans. */
export const roleListCopy = {
  back: "全部数字人",
  create: "新建数字人",
  search: "搜索名字或标签",
  list: "我的数字人",
  count: (total: number) => `共 ${total} 个数字人`,
  found: (total: number, keyword: string) => `“${keyword}”找到 ${total} 个`,
  freeUsed: (used: number, most: number) => `免费账号可以保存 ${most} 个，已有 ${used} 个`,
  pages: "翻页",
  previous: "上一页",
  next: "下一页",
  page: (page: number, last?: number) => `第 ${page} 页${last ? `，共 ${last} 页` : ""}`,
  open: (name: string) => `打开${name}`,
  opened: "打开",
  uses: (count: number) => `用过 ${formatCount(count)} 次`,
  empty: {
    heading: "还没有数字人",
    sentence: "录一句话，选一张脸，起个名字，TA 就能用这个声音说话。",
    action: "新建数字人",
  },
  nothingFound: { heading: "没有找到数字人", sentence: "换个关键词，或者查看全部。", action: "查看全部" },
  failed: { heading: "数字人加载失败", action: "重试" },
  missing: { heading: "没有找到这个数字人", action: "查看全部数字人" },
  states: {
    learning: "正在学习声音",
    queued: (before: number) => `前面还有 ${before} 个任务`,
    bar: (name: string) => `${name}的学习进度`,
    failed: "声音创建失败",
    public: "已公开",
    review: "审核中",
    reviewNote: "这个数字人被举报，审核完成前不在广场展示，你仍可照常使用。",
  },
} as const;

/** A voice that could not be learned is no generation, so no count was taken. */
export const learningFailureSentence = (reason: string | undefined) =>
  reason && reason !== "synthesis-failed" && Object.hasOwn(errorSentences, reason)
    ? errorSentences[reason as ErrorCode]
    : "请重试，或者换一段录音重新创建。";

/** Texts of the page of one digital human. */
export const roleDetailCopy = {
  listen: "听 TA 说话",
  pause: "暂停试听",
  loading: "正在准备",
  noPreview: "声音创建完成后可以试听",
  stillPhoto: "照片说话时不动。",
  confirmPhoto: "让照片开口",
  use: "用这个声音",
  dub: "用来配音",
  edit: "修改",
  menu: (name: string) => `更多操作：${name}`,
  publish: "公开到广场",
  withdraw: "从广场撤下",
  remove: "删除",
  retry: "重试",
  again: "换一段录音重新创建",
  uses: "使用",
  consent: "授权",
  consentAt: (day: string) => `${day} 确认`,
  createdAt: "创建",
  publishing: {
    title: "公开到广场",
    text: (name: string) =>
      `任何人都能试听“${name}”，也能用它生成语音。录音本身不会公开；随时可以撤下，已经生成的不会收回。`,
    confirm: "公开",
  },
  published: "已公开到广场",
  withdrawn: "已从广场撤下",
  removing: {
    title: "删除数字人",
    text: (name: string, outputs: number) =>
      `“${name}”的录音、授权、学到的声音${outputs > 0 ? `和用它生成的 ${formatCount(outputs)} 条语音` : ""}会一起删除，无法恢复。`,
    confirm: "删除",
  },
  removed: (name: string) => `已删除“${name}”`,
  revoke: "撤回授权",
  revoking: {
    title: "撤回声音授权",
    text: (name: string) =>
      `撤回后立即停止用“${name}”的声音合成，正在生成的任务也会停止。录音、从录音创建的声音和所有用它生成的语音（包括别人用它生成的）都会删除，无法恢复。`,
    confirm: "撤回授权",
    cancel: "不撤回",
  },
} as const;

/** Of the usual pitch of such voices. */
const pitchWord = (share: number) => (share < 0.9 ? "音调偏低" : share > 1.1 ? "音调偏高" : "音调适中");

/** Texts of a voice designed in words. */
export const voiceDesignCopy = {
  start: "没有录音？用文字设计一个声音",
  stop: "改用录音",
  describe: "想要什么样的声音",
  placeholder: "比如：女声、低沉、慢，像深夜电台",
  find: "找声音",
  more: "换三个",
  suggested: "常用说法",
  chips: ["女声", "男声", "童声", "低沉", "清亮", "温柔", "活泼", "慢一点"],
  candidates: "选一个声音",
  found: (count: number) => `找到 ${count} 个声音，听一听，选一个`,
  title: (place: number) => `声音 ${place}`,
  hear: (title: string) => `试听${title}`,
  pause: (title: string) => `暂停${title}`,
  facts: ({ gender, pitchHz, tempo }: { gender: "female" | "male"; pitchHz: number; tempo: number }) =>
    [
      gender === "female" ? "女声" : "男声",
      pitchWord(pitchHz / (gender === "female" ? 210 : 120)),
      tempo < 0.95 ? "偏慢" : tempo > 1.05 ? "偏快" : "语速适中",
    ].join(" · "),
  unread: (pieces: readonly string[]) => `没用上：${pieces.join("、")}。`,
  missing: "请先选一个声音。",
  sampleText: "你好，很高兴认识你。想说的话，交给我来讲。",
  consent: "这个声音是设计出来的，不属于任何人，不用授权，可以直接公开。",
  note: "这些特征是设计出来的。",
} as const;

/** Texts of the form that creates or changes a digital human. */
export const roleFormCopy = {
  heading: "新建数字人",
  editing: (name: string) => `修改“${name}”`,
  ordinals: ["一", "二", "三", "四"],
  voice: {
    heading: "声音",
    hint: "念一句话，或者上传一段只有一个人说话的录音",
    known: "已经带上刚才的录音",
    listen: "试听",
    other: "换一段",
    trackTitle: "刚才的录音",
    transcript: "录音里说了什么（选填）",
    transcribing: "正在识别录音里的话，也可以直接填写",
    transcriptHint: "填写准确，声音会更像",
    short: `说话的时间不到 ${referenceLeastSeconds} 秒，可以创建，但之后不能验证和公开。建议录长一些。`,
  },
  about: {
    heading: "基本信息",
    name: "名字",
    namePlaceholder: "给它起个名字",
    nameMissing: "请先起个名字。",
    nameLong: `名字最多 ${roleNameMax} 个字。`,
    describe: "一句介绍（选填）",
    describePlaceholder: "比如：温和女声，适合讲故事",
    describeCount: (used: number) => `${used} / ${roleDescribeMax}`,
    gender: "声音性别",
    genders: { female: "女声", male: "男声", unknown: "不填" },
    tags: "标签（选填）",
    tagsPlaceholder: "用空格或顿号隔开",
    tagsOver: "最多 10 个标签，每个不超过 20 个字。",
    suggested: "常用标签",
    moods: ["温和", "清亮", "沉稳", "活泼", "亲切"],
  },
  look: {
    heading: "头像",
    label: "头像来源",
    kinds: { drawn: "画一张", photo: "上传照片" },
    preview: "头像预览",
    faces: "选一张脸",
    face: (place: number) => `第 ${place} 张脸`,
    shuffle: "换一批",
    tune: "细调",
    tuneLess: "收起",
    missingPhoto: "还没有用上照片。选好以后请点“使用这个范围”，或改为画一张。",
  },
  consent: {
    heading: "授权",
    sentence: "克隆声音需要声音主人同意。请念一遍下面这句话，或者确认一次。",
    label: "怎样授权",
    ways: { read: "念一遍", confirm: "直接确认" },
    confirm: "我已读过上面这句话，并且确认",
    vendors: (names: string) => `合成服务商：${names}。删除数字人时，服务商那里的声音也会删除。`,
    fee: (vendor: string) => `用 ${vendor} 合成这个声音`,
    feeHint: (vendor: string, amount: string) =>
      `第一次使用时，${vendor} 向本站收取一次 ${amount}。不勾选就不启用，由其他引擎合成；以后可以在数字人页面启用。`,
    missing: "完成授权后才能创建。",
    readMissing: "念完授权语后才能创建。",
    byReading: "第一步要念的第一句就是授权，念完不用再授权。",
    inReading: "录音里的第一句就是授权，创建后会核对，不用再念一遍。",
  },
  go: "创建数字人",
  save: "保存",
  saved: "已保存",
  cancel: "取消",
  phases: { recording: "正在上传录音", portrait: "正在上传照片", creating: "正在创建" },
  full: "免费账号的数字人已达上限。开通会员后不限量，填写的内容都会保留。",
} as const;

/** Texts of /main/role for visitors. */
export const roleVisitorCopy = {
  sentence: "给声音一张脸：录一句话，就有一个会开口、会眨眼、用你的声音说话的数字人。",
  points: [
    "口型跟着声音走，一个音一个口型",
    "声音、头像和授权只属于你的账号，删除后不留副本",
    "可以留给自己用，也可以公开到广场",
  ],
  login: "登录后新建",
  samples: "先听听他们",
  toSquare: "去广场查看更多",
} as const;
