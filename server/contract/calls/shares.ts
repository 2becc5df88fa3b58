import { z } from "zod/v4";
import { videoFormats } from "../limits";
import { flag, id, numberOr, optional, orNull, pageQuery, rowsOf, text } from "./tolerant";

/** Results that can have a public page. Each has a reader in server/upstream/shares/works.ts. */
export const shareKinds = ["clone", "dub", "trial", "video"] as const;
const kind = () => z.enum(shareKinds);

/** `id` is the result's task id. A repeated call answers the same page and changes `isListed`. */
export const shareCreateRequest = z.object({ kind: kind(), id: id(), isListed: optional(flag()) });
export const shareRevokeRequest = z.object({ shareId: id() });
/** The caller's pages; with `kind` and `id` that of one result. */
export const shareListQuery = z.object({ ...pageQuery, kind: optional(kind()), id: optional(id()) });

export const share = z.object({
  shareId: id(),
  kind: kind(),
  id: id(),
  /** Search engines may list the page. */
  isListed: flag(),
  /** RFC 3339. */
  createdAt: text(),
});

export const shareInfoQuery = z.object({ shareId: id() });

/** Public view of a shared work: nothing of the owner, and of the voice only what the square shows. */
export const sharedWork = z.object({
  shareId: id(),
  kind: kind(),
  /** Title of a dub, or of a film whose sound is gone; "" otherwise. */
  title: text(),
  /** The spoken words; `name` is the voice's if the square shows it, else "". */
  lines: rowsOf(z.object({ name: text(), content: text() })),
  /** The first voice on the square; "" if there is none. */
  roleId: text(),
  /** Parameters of a drawn portrait. */
  portrait: orNull(z.record(z.string(), z.unknown())),
  /** Seconds. */
  duration: numberOr(0),
  /** Format of a film; null for a sound. */
  filmFormat: orNull(z.enum(videoFormats)),
  isListed: flag(),
  /** RFC 3339. */
  createdAt: text(),
});

export const shareParts = ["sound", "timeline", "film", "card"] as const;
/** The sound with its audible mark as MP3, the film, what sounds when as JSON, or the preview picture for messengers as PNG. */
export const shareFileQuery = z.object({ shareId: id(), part: z.enum(shareParts) });

export const shareReportRequest = z.object({ shareId: id(), reason: z.string().min(1).max(500) });
