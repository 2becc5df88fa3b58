/** The account's switch for text messages. */
export const messagesCopy = {
  label: "短信提醒",
  what: "付款到账时、会员到期前三天",
  turnedOn: "短信提醒已开启",
  turnedOff: "短信提醒已关闭",
} as const;

/** Texts of the dialog that deletes an account, and of its receipt; apart, so that pages without it do not load them. */
export const removalCopy = {
  removing: {
    title: "注销账号",
    text: "账号和里面的声音、记录、会员会全部删除，不能恢复。",
    send: (phone: string) => `发送验证码到 ${phone}`,
    sent: (phone: string) => `验证码已发送到 ${phone}`,
    confirm: "注销账号",
    going: "正在注销",
    cancel: "不注销",
    done: "完成",
  },
  receipt: {
    title: "账号已注销",
    text: "请保存这份回执，关闭后不再显示。",
    id: "回执编号",
    time: "注销时间",
    removed: "已删除",
    counts: (roles: number, clones: number, dubs: number, files: number) =>
      `数字人 ${roles} 个，克隆 ${clones} 条，配音 ${dubs} 条，文件 ${files} 个`,
    copy: "复制回执",
    copied: "回执已复制",
    copyFailed: "复制失败，请选中文字后手动复制",
    download: "下载回执",
    file: (receiptId: string) => `注销回执-${receiptId}.txt`,
  },
} as const;
