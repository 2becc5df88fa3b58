import type { Clones } from "../generations/clones/clones";
import type { Trials } from "../generations/trials/trials";
import type { Videos } from "../generations/videos/videos";
import type { Owner } from "../owner";
import type { Recordings } from "../voices/recordings";
import type { Auth } from "./auth";
import { createCallRoutes, idsOf } from "./calls";
import { parseContent } from "./parse";

export interface CloneRouteParts {
  recordings: Pick<Recordings, "agree">;
  clones: Clones;
  trials: Trials;
}

interface AgreedRequest {
  voicePath?: string | undefined;
  consent?: { statementId: string } | undefined;
}

/** Texts spoken by a role or a recording: clones for accounts, trials for visitors too. */
export function createCloneRoutes({ recordings, clones, trials }: CloneRouteParts, auth: Auth) {
  /** Records the agreement that comes with a request. */
  const agree = async (owner: Owner, address: string, { consent, voicePath }: AgreedRequest) => {
    if (consent && voicePath) await recordings.agree(owner, { voicePath, statementId: consent.statementId, address });
  };
  return createCallRoutes(
    auth,
    {
      async cloneCreate(request, { owner, address, idempotencyKey }) {
        await agree(owner, address, request);
        return clones.create(owner, request, idempotencyKey);
      },
      cloneList: (query, { owner }) => clones.list(owner, query),
      cloneDelete: ({ voiceId, ids }, { owner }) => clones.remove(owner, idsOf(voiceId, ids)),
      async trialCreate(request, { owner, address, idempotencyKey }) {
        await agree(owner, address, request);
        return trials.create({ owner, address }, request, idempotencyKey);
      },
      trialResult: ({ taskId = "" }, { owner }) => trials.result(owner, taskId),
    },
    { cloneCreate: parseContent, trialCreate: parseContent },
  );
}

/** Films of finished sounds. */
export const createVideoRoutes = (videos: Videos, auth: Auth) =>
  createCallRoutes(auth, {
    videoCreate: (request, { owner, idempotencyKey }) => videos.create(owner, request, idempotencyKey),
    videoList: (query, { owner }) => videos.list(owner, query),
    videoDelete: ({ videoId, ids }, { owner }) => videos.remove(owner, idsOf(videoId, ids)),
  });
