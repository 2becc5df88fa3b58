import { type Context, Hono } from "hono";
import {
  shareCreateRequest,
  shareFileQuery,
  shareInfoQuery,
  shareListQuery,
  shareReportRequest,
  shareRevokeRequest,
} from "~server/contract/calls/shares";
import type { ShareFiles } from "../shares/files";
import type { Shares } from "../shares/shares";
import { type Auth, addressOf } from "./auth";
import { answer } from "./envelope";
import { conditionsOf, type ServedFiles, toResponse } from "./files";
import { parse, parseQuery, readJson } from "./parse";

interface ShareRouteParts {
  shares: Shares;
  files: Pick<ServedFiles, "serve"> & { ofShares: ShareFiles };
  auth: Pick<Auth, "requireOwner">;
}

/** Public pages of results: their owner's calls, and what everyone may read. */
export function createShareRoutes({ shares, files, auth }: ShareRouteParts) {
  return new Hono()
    .post("/share/create", async (c) => {
      const owner = await auth.requireOwner(c);
      return answer(c, await shares.create(owner, parse(shareCreateRequest, await readJson(c))));
    })
    .post("/share/revoke", async (c) => {
      const owner = await auth.requireOwner(c);
      await shares.revoke(owner, parse(shareRevokeRequest, await readJson(c)).shareId);
      return answer(c, {});
    })
    .get("/share/list", async (c) => {
      const owner = await auth.requireOwner(c);
      return answer(c, await shares.list(owner, parseQuery(c, shareListQuery)));
    })
    .get("/share/info", async (c) => answer(c, await shares.read(parseQuery(c, shareInfoQuery).shareId)))
    .get("/share/file", async (c) => {
      const { shareId, part } = parseQuery(c, shareFileQuery);
      if (part === "card") return answerCard(c, await files.ofShares.card(shareId));
      return toResponse(c, await files.serve(await files.ofShares.findPart(shareId, part), conditionsOf(c)), null);
    })
    .post("/share/report", async (c) => {
      const reporter = { owner: await auth.requireOwner(c), address: addressOf(c) };
      await shares.report(reporter, parse(shareReportRequest, await readJson(c)));
      return answer(c, {});
    });
}

function answerCard(c: Context, png: Uint8Array): Response {
  c.header("content-type", "image/png");
  c.header("content-length", String(png.length));
  return c.body(png as Uint8Array<ArrayBuffer>);
}
