import type { CallData } from "~server/contract/calls/table";

type ConsentLinkState = CallData<"consentAsk">["state"];

/** Texts of the page on which a person agrees by a link that their voice is used, or declines. */
export const consentPageCopy = {
  title: "声音授权",
  description: "有人想用你的声音合成语音。看清楚再决定，不用注册。",
  eyebrow: "声音授权",
  /** Two parts, between which a narrow screen breaks the line. */
  asks: (name: string) => [`${name}想用`, "你的声音合成语音"] as const,
  sentence: "同意不同意都可以，不用注册，也不用付钱。请先看清楚下面几点。",
  facts: {
    who: "谁在问",
    whoText: (name: string) => `${name}。名字是对方自己填的，我们没有核实；不认识就不要同意。`,
    what: "用来做什么",
    whatText: "对方手里有一段你的录音，想用它把文字变成你的声音，也可能公开给别人使用。生成的每个文件都带有 AI 标识。",
    long: "用多久",
    longText: "从你同意开始，到你撤回为止。用这个链接随时可以撤回。",
    end: "撤回以后",
    endText: "立即停止使用。录音、学到的声音和用它生成的语音都会删除，你会得到一份回执。",
    recording: "你念的录音",
    recordingText: "只用来核对是不是本人，不会给对方听；撤回时一起删除。",
  },
  until: (time: string) => `请在 ${time} 前决定`,
  how: "同意的话，请照着屏幕念一遍，大约 15 秒。",
  agree: "同意，开始念",
  decline: "不同意",
  close: "先不念，返回",
  reading: "请照着念一遍",
  readingHint: "换一个安静的地方，用平常说话的声音。念完就是同意。",
  noScript: "念授权句需要 JavaScript，请启用后刷新页面。不同意和撤回不需要。",
  copy: "复制链接",
  copied: "已复制",
  copyFailed: "复制失败，请复制地址栏的链接",
  keep: "请保存这个链接：以后用它查看或撤回授权。丢了可以请对方再发一次。",
  lastTime: (sentence: string) => `上次念的：${sentence}`,
  failed: "提交失败，请稍后重试。",
  withdraw: {
    open: "撤回授权",
    text: "撤回后立即停止使用你的声音。录音、学到的声音和用它生成的所有语音（包括别人生成的）都会删除，无法恢复。",
    go: "确认撤回",
  },
  receipt: {
    heading: "撤回回执",
    text: "请保存回执文件。在“验证声音”页可以查验。",
  },
  missing: { heading: "链接打不开", sentence: "请检查链接是否完整，或者请对方重新发一个。" },
  home: "了解这个网站",
} as const;

/** Texts of the page after the question is answered or closed. */
export const consentStateCopy: Record<
  Exclude<ConsentLinkState, "waiting">,
  { heading: string; sentence(name: string): string }
> = {
  judging: {
    heading: "正在核对",
    sentence: () => "正在核对刚才念的录音，一般十几秒，人多时会久一些。关掉页面也会继续，用这个链接可以回来看。",
  },
  given: {
    heading: "你已经同意",
    sentence: (name) => `${name}现在可以用你的声音合成语音，直到你撤回。`,
  },
  review: {
    heading: "正在人工核对",
    sentence: () => "审核员会听这段录音，通常三天内有结果。用这个链接可以查看，也可以改为不同意。",
  },
  declined: {
    heading: "你没有同意",
    sentence: (name) => `我们已经告诉${name}。对方不能公开这个声音，没有授权的录音会自动删除。`,
  },
  withdrawn: {
    heading: "已经撤回",
    sentence: () => "你的声音已经停用：录音、学到的声音和生成的语音都不能再用，文件正在删除。",
  },
  expired: {
    heading: "链接已经过期",
    sentence: (name) => `没有在时间内决定，等于没有同意。想同意的话，请${name}重新发一个链接。`,
  },
  ended: {
    heading: "这个声音已经删除",
    sentence: () => "对方删除了录音和学到的声音，不再需要你的授权。",
  },
};

/** Texts of the owner's dialog and of the state on the page of a digital human. */
export const consentLinkCopy = {
  open: "请本人授权",
  title: "请声音的主人授权",
  sentence:
    "录音不是你本人的，就把链接发给 TA。TA 用手机打开，看清楚、念一遍就完成授权，不用注册。TA 不同意的话，录音和学到的声音会删除。",
  close: "关闭",
  name: "对方看到的名字",
  nameHint: "填 TA 认得出的称呼，页面上不会出现你的其他信息。",
  namePlaceholder: "比如：林老师",
  nameMissing: "请填一个对方认得出的名字。",
  create: "生成链接",
  link: "授权链接",
  qr: "授权链接的二维码",
  scan: "请对方用手机扫码，或者把链接发给 TA",
  copy: "复制链接",
  copied: "已复制",
  until: (time: string) => `${time} 前有效`,
  visit: "打开看看",
  end: "作废链接",
  heading: "录音不是你本人的？",
  hint: "发一个链接给声音的主人，TA 用手机念一遍就能授权，不用注册。",
  asked: (name: string, time: string) => `以“${name}”的名义发出，${time} 前有效。`,
  asAsked: (name: string) => `以“${name}”的名义发出。`,
  answered: (time: string) => `${time} 回答`,
  show: "查看链接",
  again: "重新发一个链接",
  dismiss: "知道了",
  withdrawn: (role: string, time: string) =>
    `“${role}”的声音主人在 ${time} 撤回了授权，数字人、录音和生成的语音已经删除。`,
} as const;

/** The state of a link, for who made it. */
export const consentLinkStates: Record<ConsentLinkState, string> = {
  waiting: "等待对方回答",
  judging: "对方已念，正在核对",
  review: "对方已念，正在人工核对",
  given: "对方已授权",
  declined: "对方没有同意",
  withdrawn: "对方已撤回",
  expired: "链接已过期，对方没有回答",
  ended: "声音已删除",
};

/** Agreeing that a vendor's engine learns and speaks a voice. */
export const vendorVoiceCopy = {
  heading: "更自然的声音",
  sentence: (names: string) => `由${names}学习这段录音并合成，比内置引擎更像真人。`,
  fee: (vendor: string, amount: string) => `第一次使用时，${vendor} 向本站收取一次 ${amount}。`,
  go: "启用",
  started: "正在用服务商的引擎重新学习声音",
  asking: {
    title: "启用更自然的声音",
    text: (names: string, fee: string) =>
      `录音会发送给${names}，用来学习和合成这个声音。删除数字人时，那里的声音也会删除。${fee}`,
    confirm: "同意并启用",
  },
} as const;

/** The receipt of a revoked consent. */
export const revocationCopy = {
  title: "授权已撤回",
  text: "请保存回执文件，关闭后不再显示。在“验证声音”页可以查验这份回执。",
  id: "回执编号",
  time: "撤回时间",
  removed: "已删除",
  counts: ({ roles, recordings, profiles, outputs, vendorVoices }: Record<string, number>) =>
    [
      `数字人 ${roles} 个，录音 ${recordings} 段，创建的声音 ${profiles} 个，生成的语音 ${outputs} 条`,
      ...(vendorVoices ? [`合成服务商处的声音 ${vendorVoices} 个`] : []),
    ].join("，"),
  download: "下载回执",
  file: (receiptId: string) => `撤回回执-${receiptId}.json`,
  done: "完成",
} as const;
