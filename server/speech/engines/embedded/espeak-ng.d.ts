declare module "@echogarden/espeak-ng-emscripten" {
  export interface EspeakEvent {
    type: string;
    text_position: number;
    /** Milliseconds. */
    audio_position: number;
    id?: string | number;
  }
  export interface EspeakWorker {
    set_voice(name: string): number;
    set_rate(wordsPerMinute: number): void;
    set_range(range: number): void;
    /** Address of the phonemes as a text that ends with 0. */
    text_to_phonemes(text: string, isIpa: boolean): { ptr: number };
    synthesize(text: string, receive: (pcm: Int16Array, events: EspeakEvent[]) => void): void;
  }
  export default function initialise(): Promise<{
    eSpeakNGWorker: new () => EspeakWorker | Promise<EspeakWorker>;
    HEAPU8: Uint8Array;
  }>;
}
