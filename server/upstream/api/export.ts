import { Readable } from "node:stream";
import { Hono } from "hono";
import { toWebStream } from "~server/web-stream";
import type { ExportAccount } from "../accounts/export";
import type { Auth } from "./auth";

interface ExportRouteParts {
  /** Reads files through the choke point alone. */
  exportAccount: ExportAccount;
  auth: Pick<Auth, "requireAccount">;
}

/** All of one's own data at once. */
export function createExportRoutes({ exportAccount, auth }: ExportRouteParts) {
  return new Hono().get("/users/export", async (c) => {
    const archive = await exportAccount(await auth.requireAccount(c));
    c.header("content-type", "application/zip");
    c.header("content-disposition", 'attachment; filename="export.zip"');
    c.header("x-content-type-options", "nosniff");
    return c.newResponse(toWebStream(Readable.from(archive)));
  });
}
