import type { Videos } from "../generations/videos/videos";
import type { Auth } from "./auth";
import { createCallRoutes, idsOf } from "./calls";

/** Films of finished sounds. */
export const createVideoRoutes = ({ videos, auth }: { videos: Videos; auth: Auth }) =>
  createCallRoutes(auth, {
    videoCreate: (request, { owner, idempotencyKey }) => videos.create(owner, request, idempotencyKey),
    videoList: (query, { owner }) => videos.list(owner, query),
    videoDelete: ({ videoId, ids }, { owner }) => videos.remove(owner, idsOf(videoId, ids)),
  });
