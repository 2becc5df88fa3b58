import { z } from "zod/v4";
import { pageSizeDefault, pageSizeMax, projectTitleMax } from "../limits";
import { flag, id, numberOr, optional, pageQuery, rowsOf, shownName, text } from "./tolerant";

const projectId = () => z.string().regex(/^[\w-]{1,40}$/);
/** What made the project: "dub" is a script of the dubbing page. Each kind has documents of its own. */
const kind = () => optional(z.string().regex(/^[a-z][a-z-]{0,19}$/)).transform((named) => named ?? "dub");
const title = () => shownName({ max: projectTitleMax });
const document = () => z.record(z.string(), z.unknown());
const revision = () => z.number().int().min(0);

/** Ours: a project of the account, the same on all its devices. */
export const projectSummary = z.object({
  projectId: id(),
  kind: text(),
  title: text(),
  /** The beginning of its text. */
  excerpt: text(),
  lines: numberOr(0),
  characters: numberOr(0),
  /** Grows by one with every change. */
  revision: numberOr(0),
  /** RFC 3339. */
  updatedAt: text(),
  /** RFC 3339; "" unless it is deleted. It can be restored for `projectRestoreDays`. */
  deletedAt: text(),
});
/** The document is kept as it was sent. */
export const project = projectSummary.extend({ document: document() });

/** Last changed first. `cursor` is the `next` of the page before. */
export const projectListQuery = z.object({
  kind: kind(),
  keyword: optional(z.string().trim().max(100)),
  /** Also those that can be restored. */
  withDeleted: optional(flag()),
  cursor: optional(z.string().max(80)),
  pageSize: pageQuery.pageSize.describe(`At most ${pageSizeMax}; ${pageSizeDefault} without.`),
});
/** `next`: "" on the last page. */
export const projectList = z.object({ list: rowsOf(projectSummary), next: text() });

export const projectRequest = z.object({ projectId: projectId() });

/** `baseRevision`: the revision that the document was made from; 0 for a new project. A deleted project returns. */
export const projectPutRequest = z.object({
  projectId: projectId(),
  kind: kind(),
  baseRevision: revision(),
  title: title(),
  excerpt: shownName({ max: projectTitleMax }),
  lines: z.number().int().min(0).max(1_000_000),
  characters: z.number().int().min(0).max(100_000_000),
  document: document(),
});
/** Unless `isSaved`, another device has changed the project, and `revision` is its present one. */
export const projectPut = z.object({ isSaved: z.boolean(), revision: numberOr(0) });

export const projectRenameRequest = z.object({ projectId: projectId(), title: title() });
export const projectDuplicateRequest = z.object({ projectId: projectId(), copyId: projectId(), title: title() });
