/** Words for how a line is spoken. */
export const toneDialogCopy = {
  title: (name: string) => `${name}怎么念`,
  close: "关闭",
  done: "就这样念",
  forAll: (name: string, count: number) => `${name}的 ${count} 句都这样念`,
  sending: "正在上传录音",
} as const;
