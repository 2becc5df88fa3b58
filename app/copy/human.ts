/** Words of the digital humans' cards. */
export const humanCopy = {
  listen: (name: string) => `试听${name}`,
  pause: (name: string) => `暂停${name}`,
  loading: (name: string) => `正在准备${name}的试听`,
  noPreview: "试听生成中，稍后再来",
  trackTitle: (name: string) => `${name} · 试听`,
} as const;
