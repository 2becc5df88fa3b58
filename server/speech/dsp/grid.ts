/** Sample rate and frame grid of the embedded engine. */
export const speechRate = 22_050;
export const hopSeconds = 0.005;
export const fftSize = 1024;
export const binCount = fftSize / 2 + 1;

export function frameCount(sampleCount: number): number {
  return Math.floor(sampleCount / speechRate / hopSeconds) + 1;
}
