/** Share of the loudest channel's power below which the mean of the channels has lost the voice. */
const lostShare = 0.4;

/**
 * Weights of a mono mix: the mean, or the loudest channel alone where the others cancel it or hold hardly anything.
 * `meanPower` is the power of the mean of all channels.
 */
export function mixWeights(powers: readonly number[], meanPower: number): number[] {
  const loudest = Math.max(...powers);
  const isLost = powers.length > 1 && meanPower < lostShare * loudest;
  const carrier = powers.indexOf(loudest);
  return powers.map((_, channel) => (isLost ? Number(channel === carrier) : 1 / powers.length));
}

export function powerOf(samples: Float32Array): number {
  let power = 0;
  for (const value of samples) power += value * value;
  return power;
}

export function weightedSum(channels: readonly Float32Array[], weights: readonly number[]): Float32Array {
  const mono = new Float32Array(channels[0]?.length ?? 0);
  for (const [channel, samples] of channels.entries()) {
    const weight = weights[channel] ?? 0;
    if (weight === 0) continue;
    for (let i = 0; i < mono.length; i++) mono[i] = (mono[i] as number) + weight * (samples[i] ?? 0);
  }
  return mono;
}

export const meanOf = (channels: readonly Float32Array[]): Float32Array =>
  weightedSum(
    channels,
    channels.map(() => 1 / channels.length),
  );

/** A mono mix that keeps the voice. */
export const mixDown = (channels: readonly Float32Array[]): Float32Array =>
  weightedSum(channels, mixWeights(channels.map(powerOf), powerOf(meanOf(channels))));
