import type { CallData } from "~server/contract/calls/table";
import type { Auth } from "./auth";
import { createCallRoutes } from "./calls";

/** The natural voice that comes by itself. */
export interface NaturalVoice {
  read(): CallData<"naturalVoice">;
  /** It does not come by itself again. */
  cancel(): void;
}

export const createNaturalVoiceRoutes = (voice: NaturalVoice, auth: Auth) =>
  createCallRoutes(auth, {
    naturalVoice: async () => voice.read(),
    naturalVoiceCancel: async () => {
      voice.cancel();
      return voice.read();
    },
  });

/** The cloner that a person may install. */
export interface ExactVoice {
  read(): CallData<"exactVoice">;
  ask(): void;
  cancel(): void;
}

export const createExactVoiceRoutes = (voice: ExactVoice, auth: Auth) =>
  createCallRoutes(auth, {
    exactVoice: async () => voice.read(),
    exactVoiceInstall: async () => {
      voice.ask();
      return voice.read();
    },
    exactVoiceCancel: async () => {
      voice.cancel();
      return voice.read();
    },
  });
