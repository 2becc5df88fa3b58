/** What a question says when nobody says otherwise. */
export const confirmCopy = {
  title: "警告",
  text: "确定要继续吗？",
  cancel: "取消",
  confirm: "确定",
} as const;
