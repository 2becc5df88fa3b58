/** The account's switch for text messages. */
export const messagesCopy = {
  label: "短信提醒",
  what: "付款到账时、会员到期前三天",
  turnedOn: "短信提醒已开启",
  turnedOff: "短信提醒已关闭",
} as const;
