import { type EntitlementReason, type ErrorCode, entitlementReasonOf } from "~server/contract/codes";

import {
  musicSeconds,
  pauseMaxSeconds,
  projectsMax,
  referenceLeastSeconds,
  scriptPauseMaxMinutes,
  scriptSoundMaxHours,
  soundMaxMinutes,
  videoMaxMinutes,
  videoTemplatesMax,
} from "~server/contract/limits";

/** One sentence for each code: what happened and what to do. Section 8 of the specification to the letter where it speaks. */
export const errorSentences: Record<ErrorCode, string> = {
  "login-expired": "登录过期",
  "account-banned": "这个账号已被停用，暂时不能登录和使用。如有疑问，请联系客服。",
  entitlement: "请求失败",
  failure: "请求失败",
  "too-large": "请文件过大请减小文件大小或压缩后再试",
  "too-many": "你点击的太频繁了，喝口水后再试吧~",
  "storage-full": "服务器存储空间已满，本次没有保存，请稍后重试。",
  "not-found": "没有找到，可能已被删除。",
  "bad-request": "请求失败",
  forbidden: "请求失败",
  unsupported: "暂不支持这个功能。",
  "request-failed": "请求失败",
  unreadable: "读不懂上游的回答，请联系管理员",
  network: "网络异常",
  timeout: "请求超时，请重试。",
  "code-wrong": "验证码不正确或已过期，请重新获取。",
  "invoice-refused": "这个订单现在开不了发票：没有付款、已经退款，或者正在退款。",
  "invoice-issued": "这个订单的发票已经开好，不能再改。",
  "redeem-wrong": "兑换码不正确，请核对后再试。",
  "redeem-expired": "这个兑换码已过期。",
  "redeem-used": "这个兑换码已被使用。",
  "redeem-repeated": "同一批兑换码每个账号只能用一个，这一批你已经用过了。",
  "reference-not-audio": "读不出这个文件里的声音，请换一个音频文件。",
  "reference-format": "这种格式读不了，请导出成 MP3 或 WAV 再传，或者直接录一段。",
  "reference-too-short": "录音太短。请换一段长一些的，或者再录一遍，念完整句话。",
  "reference-too-long": "录音太长，请剪到一分钟以内再传。",
  "reference-silent": "几乎没有声音。请换一段，或者靠近麦克风再录一遍。",
  "reference-clipped": "声音太大，破音了。请换一段，或者离麦克风远一点再录。",
  "reference-noisy": "太吵了，或者有别人在说话。请换一段安静的，或者换个安静的地方再录。",
  "reference-music": "背景里有音乐，请换一段只有人说话、没有音乐的录音。",
  "reference-singing": "听起来是在唱歌，请换一段平常说话的录音。",
  "reference-whisper": "听起来是气声。请换一段，或者用正常音量再说一遍。",
  "reference-no-speech": "没有听到人说话。请换一段，或者照着句子念一遍。",
  "reference-truncated": "文件不完整，请重新导出后再传。",
  "text-empty": "请输入中文或英文。",
  "text-too-long": "文字超出限制，请删减后重试。",
  "pauses-too-long": `停顿太长：一次生成最多停 ${pauseMaxSeconds} 秒，整本台词最多 ${scriptPauseMaxMinutes} 分钟。`,
  "sound-too-long": `声音太长：一次生成最多 ${soundMaxMinutes} 分钟，整本台词最多 ${scriptSoundMaxHours} 小时，请分成几份。`,
  "voice-missing": "没有可用的声音：请选一个声音，或重新录一段。",
  "voice-lost":
    "合成服务商没有保存这个声音，自动重新学习也没有成功，没有扣除字数和次数。请稍后重试，或换一段录音重新创建。",
  "voice-blocked": "这个声音已按权利人的要求停用，不能再用来创建。若有误，请联系客服。",
  "voice-of-person": "不能按姓名模仿真人或角色。请只写声音的样子，比如：女声、低沉、慢。",
  "consent-missing": "请先确认声音的使用授权。",
  "consent-declined": "声音的主人没有同意，录音和学到的声音已经删除。",
  "proof-missing": "还没有验证声音：请本人念一遍验证句，再公开。",
  "proof-expired": "验证句过期了，请换一句再念。",
  "proof-paused": "验证没有通过的次数多了，请过一会儿再试。",
  "proof-judging": "上一段录音还在核对，请稍候再念。",
  "proof-reference-short": `参考录音里说话的时间不够 ${referenceLeastSeconds} 秒，请重新录一段。`,
  "image-unreadable": "这张图片打不开，请换一张 JPG、PNG 或 WebP。",
  "picture-missing": "视频里用到的图片已经不在了，请重新上传。",
  "loop-unreadable": "这段画面读不出来，请换一个不超过 10 MB 的 MP4、WebM、GIF 或 WebP。",
  "loop-needs-ffmpeg": "服务器没有装 ffmpeg，读不了 MP4 和 WebM，请换成 GIF 或 WebP 动图。",
  "music-unreadable": "这个文件读不出音乐，请换一个 MP3、WAV、FLAC 或 OGG 文件。",
  "music-length": `背景音乐要 ${musicSeconds.min} 秒到 ${musicSeconds.max / 60} 分钟，请剪短或换一个。`,
  "music-missing": "背景音乐的文件已经不在了，请重新上传，或换一段音乐。",
  "synthesis-failed": "生成失败，没有扣除字数和次数，请重试。",
  "video-limit": "本月的视频已经做满，下月可以继续；开通会员可以多做一些。",
  "video-too-long": `声音太长：一个视频最多 ${videoMaxMinutes} 分钟，请分成几份。`,
  "video-timeline-missing": "这段声音没有口型数据，做不了视频，请重新生成声音。",
  "video-format-missing": "服务器暂时做不了这种格式，请换一种。",
  "project-limit": `账号里最多保存 ${projectsMax} 个项目，请先删掉几个。`,
  "template-limit": `账号里最多保存 ${videoTemplatesMax} 个模板，请先删掉几个。`,
  cancelled: "已取消。",
};

/** Code 1001 without words of the upstream's own. */
const entitlementSentences: Record<EntitlementReason, string> = {
  quota: "字数不足。",
  trial: "试用次数已用完。",
  tier: "开通会员后才能继续。",
};

const generalFailure = errorSentences["request-failed"];

interface RefusalLike {
  code: string;
  message?: string | undefined;
  data?: { reason?: unknown } | undefined;
}

/** The upstream's own message wins, then the reason's or the code's sentence, then the specification's last resort. */
export function sentenceFor(refusal: RefusalLike): string {
  if (refusal.message) return refusal.message;
  const reason = refusal.code === "entitlement" ? entitlementReasonOf(refusal.data) : null;
  if (reason) return entitlementSentences[reason];
  return Object.hasOwn(errorSentences, refusal.code) ? errorSentences[refusal.code as ErrorCode] : generalFailure;
}

/** What a field of a form says below itself, by its label. */
export const fieldFaults = {
  missing: (label: string) => `请填写${label}。`,
  malformed: (label: string) => `${label}的格式不对，请检查后再提交。`,
} as const;
