declare module "@jitsi/rnnoise-wasm/dist/rnnoise.js" {
  interface Rnnoise {
    HEAPF32: Float32Array;
    _malloc(bytes: number): number;
    _rnnoise_create(): number;
    _rnnoise_destroy(state: number): void;
    /** Addresses of the state and of the frames, which may be one; returns the probability of speech. */
    _rnnoise_process_frame(state: number, output: number, input: number): number;
  }
  export default function createRnnoise(
    options: { locateFile(): string } | { wasmBinary: Uint8Array },
  ): Promise<Rnnoise>;
}
