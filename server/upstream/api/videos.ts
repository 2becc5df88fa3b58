import { Hono } from "hono";
import { videoCreateRequest, videoDeleteRequest, videoListQuery } from "~server/contract/calls/videos";
import type { Videos } from "../generations/videos/videos";
import { type Auth, idempotencyKeyOf } from "./auth";
import { answer } from "./envelope";
import { parse, parseQuery, readJson } from "./parse";

/** Films of finished sounds. */
export function createVideoRoutes({ videos, auth }: { videos: Videos; auth: Auth }) {
  return new Hono()
    .post("/video/create", async (c) => {
      const owner = await auth.requireAccountOwner(c);
      const request = parse(videoCreateRequest, await readJson(c));
      return answer(c, await videos.create(owner, request, idempotencyKeyOf(c)));
    })
    .get("/video/list", async (c) => {
      const owner = await auth.requireAccountOwner(c);
      return answer(c, await videos.list(owner, parseQuery(c, videoListQuery)));
    })
    .post("/video/del", async (c) => {
      const owner = await auth.requireAccountOwner(c);
      const { videoId, ids = [] } = parse(videoDeleteRequest, await readJson(c));
      await videos.remove(owner, videoId ? [videoId, ...ids] : ids);
      return answer(c, {});
    });
}
