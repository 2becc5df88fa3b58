/** Words of the player bar. */
export const playerCopy = {
  region: "播放器",
  play: "播放",
  pause: "暂停",
  position: "播放进度",
  speed: "播放速度",
  download: "下载",
  downloadAs: (format: string) => `下载 ${format}`,
  collapse: "收起播放器",
  expand: "展开播放器",
  close: "关闭播放器",
  failed: "音频加载失败",
  positionText: (position: string, duration: string) => `${position}，共 ${duration}`,
} as const;

/** 0.75 → 0.75x. */
export function formatSpeed(speed: number): string {
  return `${speed}x`;
}
