import type { LoaderFunctionArgs } from "@remix-run/node";
import { csvHeading } from "~/copy/console";
import { toCsvField } from "~/features/console/cells";
import { paths } from "~/paths";
import { readConsole, requireConsoleMe } from "~server/bff/console.server";
import type { ConsoleSection } from "~server/contract/console";

const pageRows = "1000";
const rowsMax = 100_000;

/** Marks UTF-8 for spreadsheets. */
const byteOrderMark = "\uFEFF";

/** A table of an operation as CSV, page after page; money in fen. */
export async function loader(args: LoaderFunctionArgs) {
  const { request, params } = args;
  const me = await requireConsoleMe(args, paths.consoleLogin);
  const operation = me.operations.find(({ name, isRead }) => isRead && name === params.name);
  if (!operation) throw new Response(null, { status: 404 });
  const { section = "", ...input } = Object.fromEntries(new URL(request.url).searchParams);
  const isPaged = operation.fields.some(({ name }) => name === "limit");
  const read = async (after: string | undefined): Promise<ConsoleSection> => {
    const page = { ...input, ...(isPaged && { limit: pageRows }), ...(after !== undefined && { after }) };
    const answer = await readConsole(args, operation.name, page);
    const found = "answer" in answer ? answer.answer.sections.find(({ name }) => name === section) : undefined;
    if (!found) throw new Response(null, { status: 404 });
    return found;
  };
  const first = await read(undefined);
  const headings = first.columns.map(({ key, kind }) => csvHeading(key, kind, section));
  const encoder = new TextEncoder();
  let page: ConsoleSection | null = first;
  let rows = 0;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(encoder.encode(`${byteOrderMark}${toLine(headings)}`)),
    async pull(controller) {
      if (page === null || rows >= rowsMax) return controller.close();
      rows += page.rows.length;
      const { columns } = first;
      controller.enqueue(encoder.encode(page.rows.map((row) => toLine(columns.map(({ key }) => row[key]))).join("")));
      page = page.next === null ? null : await read(page.next);
    },
  });
  const name = `${operation.name}-${section}.csv`;
  return new Response(body, {
    headers: { "content-type": "text/csv; charset=utf-8", "content-disposition": `attachment; filename="${name}"` },
  });
}

const toLine = (values: unknown[]) => `${values.map(toCsvField).join(",")}\r\n`;
