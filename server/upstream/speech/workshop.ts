import type { RecordingQuality } from "~server/contract/recording";
import type { HeardPrint, SoundPrint } from "./fingerprint/fingerprint";

export interface InspectedRecording {
  samples: Float32Array;
  sampleRate: number;
  quality: RecordingQuality;
  /** The container as its bytes tell: wav, mp3, flac, ogg, webm. */
  format: string;
}

export interface EncodeRequest {
  pcm: Int16Array;
  sampleRate: number;
  format: "mp3" | "wav";
  /** Append the audible rhythm that marks generated speech. */
  explicitMark?: boolean;
}

/**
 * Decoding, bounded in time and memory and away from the server's own process: a hostile file can only end its own request. Throws SpeechError and nothing else; fault 'reference' for what is no usable recording.
 */
export interface AudioWorkshop {
  inspect(bytes: Uint8Array, signal?: AbortSignal): Promise<InspectedRecording>;
  /** What an audio file is known again by. */
  print(bytes: Uint8Array, signal?: AbortSignal): Promise<SoundPrint>;
  /** What to look up in order to know whether a file holds a known sound; files up to a quarter of an hour. */
  hear(bytes: Uint8Array, signal?: AbortSignal): Promise<HeardPrint>;
  /** The same for each way in which it may have been made faster, slower, higher or lower. */
  hearAltered(bytes: Uint8Array, signal?: AbortSignal): Promise<HeardPrint[]>;
}
