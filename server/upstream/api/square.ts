import { type Context, Hono, type MiddlewareHandler } from "hono";
import { roleReportRequest, squareHomeQuery, squareListQuery } from "~server/contract/calls/role";
import { AppError } from "../errors";
import type { Reports } from "../square/reports";
import type { Square } from "../square/roles";
import type { Auth } from "./auth";
import { addressOf } from "./caller";
import { answer } from "./envelope";
import { parse, parseQuery, readJson } from "./parse";
import type { Allow } from "./rate";

export interface SquareRouteParts {
  square: Square;
  reports: Pick<Reports, "file">;
  allow: Allow;
}

interface Guards {
  auth: Pick<Auth, "requireOwner">;
  rateGuard: MiddlewareHandler;
}

/** Beyond what anybody finds wrong in an hour. */
const reportRule = { limit: 20, windowSeconds: 3600 };

export function createSquareRoutes({ square, reports, allow, auth, rateGuard }: SquareRouteParts & Guards) {
  const boundReports = async (c: Context) => {
    if (await allow(`report:${addressOf(c)}`, reportRule)) return;
    throw new AppError("too-many", "address reports too often", { status: 429 });
  };
  return new Hono()
    .get("/role/common/list", async (c) => answer(c, await square.list(parseQuery(c, squareListQuery))))
    .get("/role/common/home", async (c) => answer(c, await square.home(parseQuery(c, squareHomeQuery).size)))
    .post("/role/common/report", rateGuard, async (c) => {
      const reporter = { owner: await auth.requireOwner(c), address: addressOf(c) };
      const report = parse(roleReportRequest, await readJson(c));
      await boundReports(c);
      await reports.file(reporter, report);
      return answer(c, {});
    });
}
