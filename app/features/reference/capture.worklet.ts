/** Runs on the audio thread: posts each block of microphone samples to the page. */
declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}
declare function registerProcessor(name: string, processor: new () => AudioWorkletProcessor): void;

class Capture extends AudioWorkletProcessor {
  process([input]: Float32Array[][]): boolean {
    const channel = input?.[0];
    if (channel) this.port.postMessage(channel.slice());
    return true;
  }
}

registerProcessor("capture", Capture);

export {};
