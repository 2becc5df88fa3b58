import { dubExportFormats, dub as dubSchema } from "../contract/calls/dubs";
import type { CallData } from "../contract/calls/table";
import { textOf } from "./json.server";
import { UpstreamRefusal } from "./refusal.server";
import type { CallInput, Upstream } from "./upstream.server";

/** A dub as its owner sees it. URLs are the upstream's: show them through /bff/media. */
export type Dub = CallData<"dubList">["list"][number];
export type DubFormat = (typeof dubExportFormats)[number];

export const dubsPerPage = 8;

export interface DubPage {
  list: Dub[];
  total: number;
  page: number;
}

/** A page of the account's dubs, the newest first; `keyword` is looked for in titles and lines. Throws UpstreamRefusal. */
export async function readDubs(upstream: Upstream, query: URLSearchParams): Promise<DubPage> {
  const page = Math.max(1, Math.trunc(Number(query.get("page"))) || 1);
  const keyword = [...(query.get("keyword") ?? "").trim()].slice(0, 100).join("");
  const { list, total } = await upstream.call("dubList", {
    page,
    pageSize: dubsPerPage,
    ...(keyword && { keyword }),
  });
  return { list, total, page };
}

/** One dub, a take too; null when there is none of that id. */
export async function findDub(upstream: Upstream, taskId: string): Promise<Dub | null> {
  const { list } = await upstream.call("dubList", { taskId });
  return list.find((dub) => dub.dubbId === taskId) ?? null;
}

/**
 * Starts one; the same key starts nothing twice. Null where the upstream says nothing about it and it is not in the list
 * yet. Throws UpstreamRefusal.
 */
export async function createDub(
  upstream: Upstream,
  input: CallInput<"dubCreate">,
  idempotencyKey?: string,
): Promise<Dub | null> {
  const created = await upstream.call("dubCreate", input, idempotencyKey);
  const { list } = created ? { list: [created] } : await readDubs(upstream, new URLSearchParams()).catch(() => nothing);
  const found = created ?? list.find((dub) => isMadeOf(dub, input));
  if (!found) return null;
  return found.lines.length > 0 ? found : dubSchema.parse({ ...found, lines: input.lines });
}

const nothing: { list: Dub[] } = { list: [] };

/** By its lines; by its title where the upstream keeps no lines. */
function isMadeOf({ lines, title }: Dub, input: CallInput<"dubCreate">): boolean {
  if (lines.length === 0) return title !== "" && title === input.title;
  return lines.length === input.lines.length && lines.every((line, at) => line.content === input.lines[at]?.content);
}

export async function deleteDub(upstream: Upstream, dubbId: unknown): Promise<void> {
  await upstream.call("dubDelete", { dubbId: textOf(dubbId) });
}

/** Reads the wanted format; throws UpstreamRefusal `bad-request`. */
export function parseDubFormat(value: string | null): DubFormat {
  const format = dubExportFormats.find((one) => one === value);
  if (!format) throw new UpstreamRefusal({ code: "bad-request" });
  return format;
}
