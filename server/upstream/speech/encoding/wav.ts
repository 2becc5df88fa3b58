const headerBytes = 44;
const bytesPerSample = 2;

/** A plain 16-bit mono WAV file: 44 bytes of header, then the samples. */
export function encodeWav(pcm: Int16Array, sampleRate: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(headerBytes + pcm.length * bytesPerSample);
  bytes.set(wavHeader(pcm.length, sampleRate));
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < pcm.length; i++) view.setInt16(headerBytes + i * bytesPerSample, pcm[i] as number, true);
  return bytes;
}

/** What stands before so many samples. */
export function wavHeader(samples: number, sampleRate: number): Uint8Array<ArrayBuffer> {
  const samplesBytes = samples * bytesPerSample;
  const bytes = new Uint8Array(headerBytes);
  const view = new DataView(bytes.buffer);
  const name = (at: number, id: string) => bytes.set(Buffer.from(id, "latin1"), at);
  name(0, "RIFF");
  view.setUint32(4, headerBytes - 8 + samplesBytes, true);
  name(8, "WAVE");
  name(12, "fmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, sampleRate, true);
  view.setUint32(28, sampleRate * bytesPerSample, true);
  view.setUint16(32, bytesPerSample, true);
  view.setUint16(34, 16, true);
  name(36, "data");
  view.setUint32(40, samplesBytes, true);
  return bytes;
}
