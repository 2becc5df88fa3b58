import type { Context } from "hono";
import type { ShareFiles } from "../shares/files";
import type { Shares } from "../shares/shares";
import type { Auth } from "./auth";
import { createCallRoutes } from "./calls";
import { conditionsOf, type ServedFiles, toResponse } from "./files";

export interface ShareRouteParts {
  shares: Shares;
  files: Pick<ServedFiles, "serve"> & { ofShares: ShareFiles };
}

/** Public pages of results: their owner's calls, and what everyone may read. */
export const createShareRoutes = ({ shares, files }: ShareRouteParts, auth: Auth) =>
  createCallRoutes(auth, {
    shareCreate: (request, { owner }) => shares.create(owner, request),
    shareRevoke: ({ shareId }, { owner }) => shares.revoke(owner, shareId),
    shareList: (query, { owner }) => shares.list(owner, query),
    shareInfo: ({ shareId }) => shares.read(shareId),
    async shareFile({ shareId, part }, { c }) {
      if (part === "card") return answerCard(c, await files.ofShares.card(shareId));
      return toResponse(c, await files.serve(await files.ofShares.findPart(shareId, part), conditionsOf(c)), null);
    },
    shareReport: (request, { owner, address }) => shares.report({ owner, address }, request),
  });

function answerCard(c: Context, png: Uint8Array): Response {
  c.header("content-type", "image/png");
  c.header("content-length", String(png.length));
  return c.body(png as Uint8Array<ArrayBuffer>);
}
