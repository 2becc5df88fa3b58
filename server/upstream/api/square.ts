import { Hono } from "hono";
import { roleReportRequest, squareHomeQuery, squareListQuery } from "~server/contract/calls/roles";
import type { Reports } from "../square/reports";
import type { Square } from "../square/roles";
import { type Auth, addressOf } from "./auth";
import { answer } from "./envelope";
import { parse, parseQuery, readJson } from "./parse";
import type { AnswerShared } from "./shared";

interface SquareRouteParts {
  square: Square;
  reports: Pick<Reports, "file">;
  auth: Pick<Auth, "requireOwner">;
  answerShared: AnswerShared;
}

export function createSquareRoutes({ square, reports, auth, answerShared }: SquareRouteParts) {
  return new Hono()
    .get("/role/common/list", async (c) => {
      const query = parseQuery(c, squareListQuery);
      // Searches are too many to keep.
      if (query.keyword) return answer(c, await square.list(query));
      return answerShared(c, `list ${JSON.stringify(query)}`, () => square.list(query));
    })
    .get("/role/common/home", (c) => {
      const { size } = parseQuery(c, squareHomeQuery);
      return answerShared(c, `home ${size}`, () => square.home(size));
    })
    .post("/role/common/report", async (c) => {
      const reporter = { owner: await auth.requireOwner(c), address: addressOf(c) };
      const report = parse(roleReportRequest, await readJson(c));
      await reports.file(reporter, report);
      return answer(c, {});
    });
}
