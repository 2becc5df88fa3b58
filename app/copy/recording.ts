import type { consentStatements } from "~server/contract/consent";
import { type RecordingTip, recordingLimits } from "~server/contract/recording/quality";
import { formatDuration } from "./format";

/** Sentences to read aloud: about eight seconds each, with every tone and most sounds of Mandarin in them. */
export const readingSentences = [
  "春天来了，公园里的花都开了，孩子们在草地上奔跑，老人坐在长椅上晒太阳。",
  "昨天夜里下了一场雨，早上推开窗，空气很新鲜，远处的山也看得清清楚楚。",
  "请把桌上的书和茶杯收好，我们一会儿去车站接朋友，晚饭想吃点热的。",
  "他学了三年画画，最喜欢画船、小桥和流水，墙上挂着二十几幅自己的作品。",
] as const;

/** Action that mends a tip. */
export type TipAction = "retake" | "trim" | null;

const shorterThan = (seconds: number) => `说话的时间不到 ${seconds} 秒`;
const usableUnder = `${shorterThan(recordingLimits.fullSpeechSeconds)}，可以用。`;

export const recordingTips: Record<RecordingTip, { sentence: string; action: TipAction }> = {
  silent: { sentence: "几乎没有声音。请检查麦克风，靠近一些再录。", action: "retake" },
  "no-speech": { sentence: "没有听到人说话。请照着句子念一遍。", action: "retake" },
  whisper: { sentence: "听起来是气声。请用正常音量再说一遍。", action: "retake" },
  music: { sentence: "听到了音乐。请关掉音乐，只录一个人说话的声音。", action: "retake" },
  singing: { sentence: "听起来像在唱歌。请用平常说话的语气再录一段。", action: "retake" },
  "too-short": { sentence: `${shorterThan(recordingLimits.minSpeechSeconds)}。请念完整句再试。`, action: "retake" },
  short: { sentence: `${usableUnder}念完整句，声音会更像。`, action: "retake" },
  clipped: { sentence: "声音太大，有些地方破音了。请离麦克风远一点再录。", action: "retake" },
  noisy: { sentence: "环境有些吵。换个安静的地方，声音会更像。", action: "retake" },
  room: { sentence: "回声有些重。换个小一点、有窗帘或沙发的房间，声音会更像。", action: "retake" },
  "phone-band": { sentence: "听起来是电话音质。用手机或电脑直接录，声音会更像。", action: "retake" },
  quiet: { sentence: "声音有点小。靠近麦克风再录，声音会更像。", action: "retake" },
  truncated: { sentence: "文件不完整，只听到前面一部分。", action: "retake" },
  "too-long": { sentence: "超过一分钟了，只会用到其中一分钟。", action: "trim" },
};

/** Said of an uploaded file instead: no microphone can be moved there. */
export const fileTips: Partial<Record<RecordingTip, string>> = {
  silent: "这段音频几乎没有声音，请换一段。",
  "no-speech": "没有听到人说话，请换一段。",
  whisper: "听起来是气声，请换一段正常音量的。",
  music: "听到了音乐，或者不止一个人的声音。请换一段只有一个人说话的。",
  singing: "听起来像在唱歌，请换一段平常说话的。",
  "too-short": `${shorterThan(recordingLimits.minSpeechSeconds)}，请换一段长一些的。`,
  short: `${usableUnder}换一段长一些的，声音会更像。`,
  clipped: "声音太大，有些地方破音了。请换一段没有破音的。",
  noisy: "背景有些吵，或者有别人在说话。换一段安静的、只有一个人说话的，声音会更像。",
  room: "回声有些重。换一段回声小的，声音会更像。",
  "phone-band": "听起来是电话音质。换一段用手机或电脑直接录的，声音会更像。",
  quiet: "声音有点小。换一段音量正常的，声音会更像。",
};

export const recordingCopy = {
  start: "开始录音",
  asking: "请允许使用麦克风",
  stop: "完成录音",
  judging: "正在检查录音",
  another: "换一句",
  remaining: (seconds: number) => `还能录 ${formatDuration(seconds)}`,
  hint: "念完上面这句，大约八秒",
  longHint: "念完上面两句，大约十五秒",
  retake: "重录",
  fileName: "我的录音.wav",
  announcements: {
    recording: "开始录音，请念句子",
    judging: "录音结束，正在检查",
  },
  toUpload: "改用上传",
} as const;

/** Why the microphone cannot be used, with the way out in this browser. */
export function microphoneSentence(fault: keyof typeof microphoneFaults, userAgent: string): string {
  const said = microphoneFaults[fault];
  const way = typeof said === "string" ? said : (said.find(({ of }) => of.test(userAgent))?.way ?? "");
  return fault === "insecure" ? way : `${way}，或者上传一段音频。`;
}

/** First match wins: the browsers inside other apps name the system's browser as well. */
const microphoneFaults = {
  insecure: "当前不是安全连接，浏览器无法使用麦克风。可以上传一段音频。",
  unsupported: [
    { of: /MicroMessenger/i, way: "微信里不能录音。请点右上角的“···”，选“在浏览器打开”" },
    { of: /\bQQ\//, way: "QQ 里不能录音。请点右上角的“···”，选“在浏览器打开”" },
    { of: /iPhone|iPad/, way: "这个应用里不能录音。请复制网址，在 Safari 浏览器打开" },
    { of: /Mobile|Android/, way: "这个应用里不能录音。请复制网址，在浏览器打开" },
    { of: /^/, way: "这个浏览器不能录音。请换 Chrome、Edge 或 Safari 的新版本打开" },
  ],
  denied: [
    { of: /MicroMessenger/i, way: "没有麦克风权限。请在手机设置里允许微信使用麦克风，再重试" },
    { of: /\bQQ\//, way: "没有麦克风权限。请在手机设置里允许 QQ 使用麦克风，再重试" },
    {
      of: /(iPhone|iPad)(?!.*(CriOS|FxiOS|EdgiOS))/,
      way: "没有麦克风权限。请点地址栏左边的按钮，在“网站设置”里允许麦克风，再重试",
    },
    { of: /Mobile|Android/, way: "没有麦克风权限。请在手机设置和浏览器的网站设置里都允许麦克风，再重试" },
    { of: /Firefox/, way: "没有麦克风权限。请点地址栏左边的麦克风图标，去掉“已屏蔽”，再重试" },
    { of: /Chrome/, way: "没有麦克风权限。请点地址栏左边的图标，打开麦克风，再重试" },
    { of: /Safari/, way: "没有麦克风权限。请在菜单“Safari 浏览器”的“网站设置”里允许麦克风，再重试" },
    { of: /^/, way: "没有麦克风权限。请在浏览器地址栏旁允许后重试" },
  ],
  missing: "没有找到麦克风。请连接麦克风后重试",
  unloaded: "录音功能加载失败。请检查网络后重试",
  busy: "麦克风无法打开，可能正被其他程序占用。请关闭后重试",
};

/** A recording that is there: hear it, what the coach says of it, put another in its place. */
export const referenceCopy = {
  from: "参考音频来源",
  sources: { record: "录音", upload: "上传音频" },
  missing: {
    record: "还没有录音。请点“开始录音”，念一句话。",
    upload: "还没有选音频。请选一个文件，或改用录音。",
  },
  clear: "声音清晰",
  usable: "可以使用",
  refused: "无法使用",
  unheard: "上传后检查",
  play: "试听",
  pause: "暂停",
  reused: "沿用之前的录音",
  replace: "换一个",
  trim: "裁剪",
  noise: {
    label: "环境声",
    original: "原声",
    denoised: "降噪",
    hint: "两种都听一听，选更像的一种。",
    pending: "正在降噪",
    failed: "降噪没有成功，仍用原声。请检查网络后重试。",
  },
  trimmed: (seconds: number) => `已裁剪到说话最多的 ${formatDuration(seconds)}`,
} as const;

export const uploadCopy = {
  pick: "选择音频文件",
  drop: "或者拖到这里",
  dropNow: "松开即可上传",
  formats: "MP3、WAV、M4A、FLAC、OGG、WebM，10 秒到 1 分钟最好",
  reading: "正在读取",
  unreadable: "无法读取这个文件。请换一个音频文件。",
  tooLong: (seconds: number) =>
    `这段音频有 ${formatDuration(seconds)}，太长了。请剪出一分钟以内、只有一个人说话的部分再上传。`,
} as const;

/** Statements that the speaker reads aloud or confirms. The contract keeps the hash of these words. */
export const consentTexts: Record<(typeof consentStatements)[number]["id"], string> = {
  "voice-consent-1": "我确认这是我本人的声音，或者已经得到声音主人的同意，并且不会用它冒充别人。",
  "voice-use-1": "继续即表示录音者已同意克隆其声音",
  "voice-consent-2":
    "我确认这是我本人的声音，或者已经得到声音主人的同意，不会用它冒充别人；我同意把录音交给合成服务商，用来学习和合成这个声音。",
  "voice-use-2": "继续即表示录音者已同意克隆其声音，并同意把录音交给合成服务商",
};

const vendorNames: Record<string, string> = {
  dashscope: "阿里云百炼（中国内地）",
  "dashscope-abroad": "阿里云 Model Studio（境外）",
  minimax: "MiniMax（中国内地）",
  "minimax-abroad": "MiniMax（境外）",
};

/** Companies that recordings are sent to, as the capabilities name them. */
export const namesOfVendors = (vendors: readonly string[]) =>
  vendors.map((vendor) => vendorNames[vendor] ?? vendor).join("、");

/** The sentence beside a button that clones a recording for one text. */
export const cloningSentence = (vendors: readonly string[]) =>
  vendors.length === 0 ? consentTexts["voice-use-1"] : `${consentTexts["voice-use-2"]}：${namesOfVendors(vendors)}`;

const fees: Record<string, string> = { minimax: "9.9 元", "minimax-abroad": "1.5 美元" };

/** The vendor's charge at the first use of a voice; null if no vendor charges. */
export function feeOf(vendors: readonly string[]): { vendor: string; amount: string } | null {
  const billing = vendors.find((vendor) => fees[vendor] !== undefined);
  return billing === undefined
    ? null
    : { vendor: billing.replace(/^minimax.*$/, "MiniMax"), amount: fees[billing] ?? "" };
}
