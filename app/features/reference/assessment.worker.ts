import { assessRecording, type MonoRecording } from "~server/contract/recording/judge";

/** Assesses a recording apart from the page: 30 s take 0.2 to 1 s of processor time. */
self.onmessage = ({ data }: MessageEvent<MonoRecording>) => self.postMessage(assessRecording(data));
