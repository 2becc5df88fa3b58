import type { Reports } from "../square/reports";
import type { Square } from "../square/roles";
import type { Auth } from "./auth";
import { createCallRoutes } from "./calls";
import type { AnswerShared } from "./shared";

interface SquareRouteParts {
  square: Square;
  reports: Pick<Reports, "file">;
  auth: Auth;
  answerShared: AnswerShared;
}

export const createSquareRoutes = ({ square, reports, auth, answerShared }: SquareRouteParts) =>
  createCallRoutes(auth, {
    // Searches are too many to keep.
    squareList: (query, { c }) =>
      query.keyword ? square.list(query) : answerShared(c, `list ${JSON.stringify(query)}`, () => square.list(query)),
    squareHome: ({ size }, { c }) => answerShared(c, `home ${size}`, () => square.home(size)),
    roleReport: (report, { owner, address }) => reports.file({ owner, address }, report),
  });
