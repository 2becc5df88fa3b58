declare module "@jitsi/rnnoise-wasm/dist/rnnoise.js" {
  type Rnnoise = import("./denoise").Rnnoise;
  export default function createRnnoise(
    options: { locateFile(): string } | { wasmBinary: Uint8Array },
  ): Promise<Rnnoise>;
}
