import { Hono } from "hono";
import { roleReportRequest, squareHomeQuery, squareListQuery } from "~server/contract/calls/roles";
import type { Reports } from "../square/reports";
import type { Square } from "../square/roles";
import { type Auth, addressOf } from "./auth";
import { answer } from "./envelope";
import { parse, parseQuery, readJson } from "./parse";

interface SquareRouteParts {
  square: Square;
  reports: Pick<Reports, "file">;
  auth: Pick<Auth, "requireOwner">;
}

export function createSquareRoutes({ square, reports, auth }: SquareRouteParts) {
  return new Hono()
    .get("/role/common/list", async (c) => answer(c, await square.list(parseQuery(c, squareListQuery))))
    .get("/role/common/home", async (c) => answer(c, await square.home(parseQuery(c, squareHomeQuery).size)))
    .post("/role/common/report", async (c) => {
      const reporter = { owner: await auth.requireOwner(c), address: addressOf(c) };
      const report = parse(roleReportRequest, await readJson(c));
      await reports.file(reporter, report);
      return answer(c, {});
    });
}
