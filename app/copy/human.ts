/** Words of the digital humans' cards. */
export const humanCopy = {
  listen: (name: string) => `试听${name}`,
  pause: (name: string) => `暂停${name}`,
  loading: (name: string) => `正在准备${name}的试听`,
  noPreview: "试听生成中，稍后再来",
  /** Specification section 8; the status is unknown while the network is gone. */
  pictureFailed: (status: number | null) => (status === null ? "图片加载失败" : `图片加载失败 ${status}`),
  trackTitle: (name: string) => `${name} · 试听`,
} as const;
