/** The agreement: server/contract/audible-mark.ts holds the SHA-256 of `markAgreementText`, and a test compares them. */
export const markAgreementText = [
  "我申请下载不带提示音的音频文件，并承诺：",
  "1. 向公众发布这些音频时，由我按《人工智能生成合成内容标识办法》主动声明，并用平台提供的标识功能标明是 AI 生成。",
  "2. 不用这些音频冒充他人，不用于诈骗、造谣或其他违法用途，由此产生的责任由我承担。",
  "3. 文件里的隐式标识照常写入，我不会删除、篡改、伪造或隐匿。",
  "4. 我的同意和撤回会被记录：账号、时间、网络地址和本协议的版本。协议结束或账号注销后，记录再保存六个月。",
].join("\n");

/** Texts of the member's setting for the audible mark of downloads. */
export const audibleMarkCopy = {
  title: "下载文件的提示音",
  isOn: "下载的音频末尾有一段提示音，说明是 AI 生成。会员签署协议后可以关闭，只对之后生成的文件有效。",
  isOff: (at: string) => `你已于 ${at} 同意协议。之后生成的文件下载时没有提示音，隐式标识照常写入。`,
  paused: "会员已到期，新生成的文件会带提示音。续费后协议继续有效，也可以现在撤回。",
  members: "关闭提示音是会员功能。",
  toMembership: "查看会员",
  agreement: "协议",
  agree: "我已阅读并同意上面的协议",
  unagreed: "请先勾选同意协议",
  turnOff: "关闭提示音",
  turnOn: "撤回同意，恢复提示音",
  close: "关闭",
  loading: "正在读取设置",
  again: "重试",
  turnedOff: "提示音已关闭",
  turnedOn: "提示音已恢复",
} as const;
