import type { EncodeRequest } from "../workshop";
import { withExplicitMark } from "./explicit-mark";
import { encodeMp3 } from "./mp3";
import { encodeWav } from "./wav";

/** Samples as a file of the format asked for, with the audible mark behind them where that is asked for. */
export async function encode({ pcm, sampleRate, format, explicitMark }: EncodeRequest): Promise<Uint8Array> {
  const marked = explicitMark ? withExplicitMark(pcm, sampleRate) : pcm;
  return format === "wav" ? encodeWav(marked, sampleRate) : encodeMp3(marked, sampleRate);
}
