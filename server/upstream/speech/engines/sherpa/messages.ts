/** What the server asks of the child that runs sherpa-onnx, and what it answers. */
export type SherpaAsk =
  | {
      kind: "speak";
      id: number;
      text: string;
      speed: number;
      voice: { samples: Float32Array; sampleRate: number; text: string } | null;
    }
  | { kind: "cancel"; id: number };

export type SherpaAnswer =
  | { kind: "ready"; sampleRate: number }
  | { kind: "part"; id: number; samples: Float32Array; sampleRate: number }
  | { kind: "end"; id: number }
  | { kind: "fault"; id: number; message: string };
