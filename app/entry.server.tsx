import { Transform } from "node:stream";
import { text } from "node:stream/consumers";
import { type AppLoadContext, createReadableStreamFromReadable, type EntryContext } from "@remix-run/node";
import { isRouteErrorResponse, RemixServer } from "@remix-run/react";
import { isbot } from "isbot";
import { type PipeableStream, renderToPipeableStream, renderToString } from "react-dom/server";
import { FixedMarkup } from "~/ui/card";
import { NonceProvider } from "~/ui/event-replay";

export const streamTimeout = 5_000;

/**
 * Passes on HTML as UTF-8 without its zero bytes, which HTML does not allow. React 18.3.1 fills the end of a 2,048-byte
 * view with them where the next character does not fit (facebook/react#31134).
 */
export const createHtmlStream = () =>
  new Transform({
    transform(bytes: Buffer, _encoding, done) {
      done(null, bytes.includes(0) ? bytes.filter((byte) => byte !== 0) : bytes);
    },
  });

interface Page extends DocumentProps {
  request: Request;
  report: AppLoadContext["report"];
}

export default async function handleRequest(
  ...[request, status, headers, remix, { nonce, report }]: [Request, number, Headers, EntryContext, AppLoadContext]
): Promise<Response> {
  const page = { request, url: request.url, remix, nonce, report };
  const { body, hasFailed } = await (isDeferred(remix) ? streamPage(page) : renderWhole(page));
  headers.set("content-type", "text/html; charset=utf-8");
  if (Buffer.isBuffer(body)) headers.set("content-length", String(body.length));
  return new Response(body, { headers, status: hasFailed ? 500 : status });
}

/** A loader returned a promise beside its data. */
export function isDeferred({ staticHandlerContext: { loaderData } }: Pick<EntryContext, "staticHandlerContext">) {
  const values = Object.values(loaderData ?? {}).flatMap((data: unknown) =>
    typeof data === "object" && data !== null ? Object.values(data) : [],
  );
  return values.some((value) => value instanceof Promise);
}

/**
 * The document in one piece, with its loader data in a script behind it. RemixServer would pass the data through a
 * Suspense boundary and a separate stream.
 */
async function renderWhole({ remix, ...page }: Page) {
  const { serverHandoffStream, ...context } = remix;
  const data = serverHandoffStream && new Response(serverHandoffStream).text();
  // A failed render does not read it.
  data?.catch(() => {});
  const { html, hasFailed } =
    renderAtOnce({ ...page, remix: context }) ?? (await renderInTurns({ ...page, remix: context }));
  const script = data && context.renderMeta?.didRenderScripts ? handoffScript(await data, page.nonce) : "";
  return { body: Buffer.from(withoutIndentation(html) + script), hasFailed };
}

/** The fixed markup of each page by its name, split at the nonces. */
const fixedMarkup = new WeakMap<object, Map<string, string[]>>();
/** Names change with the site's settings and prices. */
const maxFixed = 100;

/**
 * The document of a page whose data is complete; null if a part of it is still loading or failed. Fixed markup, a third
 * of home's elements and two thirds of the terms', stands in from an earlier document of the page.
 */
export function renderDocument({ data, ...page }: DocumentProps & { data: string }): string | null {
  const { remix, nonce } = page;
  const known = fixedMarkup.get(remix.routeModules) ?? new Map<string, string[]>();
  const marked = renderAtOnce(page, "mark");
  if (!marked) return null;
  const parts = marked.html.split(/<i id="fixed ([^"]+)"><\/i>/);
  const areKnown = () => parts.every((name, at) => at % 2 === 0 || known.has(name));
  if (!areKnown()) fixedMarkup.set(remix.routeModules, readFixed(page, known));
  if (!areKnown()) return null;
  const html = parts.map((part, at) => (at % 2 === 0 ? part : known.get(part)?.join(nonce))).join("");
  if (parts.includes("scripts")) return html + handoffScript(data, nonce);
  return remix.renderMeta?.didRenderScripts ? withoutIndentation(html) + handoffScript(data, nonce) : html;
}

/** Renders the page once more, with its fixed markup, and adds that to `known`. */
function readFixed(page: DocumentProps, known: Map<string, string[]>) {
  if (known.size > maxFixed) known.clear();
  const html = renderAtOnce(page, "frame")?.html ?? "";
  for (const [, name = "", markup = ""] of html.matchAll(/<i id="fixed ([^"]+)"><\/i>(.*?)<i id="fixed"><\/i>/gs))
    known.set(name, page.nonce ? withoutIndentation(markup).split(page.nonce) : [withoutIndentation(markup)]);
  return known;
}

/** Remix prints two scripts with line breaks and indentation, 2.5 kB of a page, and what a route lacks as well. */
const withoutIndentation = (html: string) =>
  html
    .replace(/\(\(STORAGE_KEY, restoreKey\) => \{[\s\S]*?\n {2}\}\)/, joinLines)
    .replace(/window\.__remixManifest = \{[\s\S]*?\n\}/, (manifest) =>
      joinLines(manifest)
        .replaceAll('": ', '":')
        .replace(/"has\w+":false,|,"css":\[\]/g, ""),
    );

const joinLines = (script: string) => script.replace(/\n */g, "");

/** React's mark of a boundary that suspended or failed. */
const unfinished = "<!--$!-->";

/**
 * Null for a page with a part that is still loading, or with an error. A document of 50 kB takes 0.6 ms of processor time;
 * `renderInTurns` takes 1.7, for it encodes into views of 2 KB, passes them through a stream and drops zero bytes.
 */
function renderAtOnce(page: DocumentProps, fixed: "mark" | "frame" | null = null): Rendered | null {
  try {
    const html = renderToString(
      <FixedMarkup.Provider value={fixed}>
        <Document {...page} />
      </FixedMarkup.Provider>,
    );
    return html.includes(unfinished) ? null : { html: `<!DOCTYPE html>${html}`, hasFailed: false };
  } catch {
    return null;
  }
}

interface Rendered {
  html: string;
  hasFailed: boolean;
}

/** Waits for every part of the page, and reports the errors of parts. */
async function renderInTurns(page: Page): Promise<Rendered> {
  const errors: unknown[] = [];
  const { pipe, stop } = await render(page, "onAllReady", (error) => void errors.push(error));
  stop();
  if (!page.request.signal.aborted) errors.forEach(page.report);
  return { html: await text(pipe(createHtmlStream())), hasFailed: errors.length > 0 };
}

interface DocumentProps {
  remix: EntryContext;
  nonce: string;
  url: string;
}

function Document({ remix, nonce, url }: DocumentProps) {
  return (
    <NonceProvider value={nonce}>
      <RemixServer context={remix} nonce={nonce} url={url} />
    </NonceProvider>
  );
}

/** The output of RemixServer's StreamTransfer as one script. */
function handoffScript(data: string, nonce: string): string {
  const controller = "window.__remixContext.streamController";
  return `<script nonce="${nonce}">${controller}.enqueue('${escapeForScript(data)}');${controller}.close();</script>`;
}

/** For a string in single quotes: in double quotes each quote of the JSON takes a backslash, 0.4 kB of home. */
const escapeForScript = (json: string) =>
  json.replace(/[\\'\n\r<\u2028\u2029]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** Streams the document as its data arrives; crawlers get it whole. */
async function streamPage(page: Page) {
  const ready = isbot(page.request.headers.get("user-agent")) ? "onAllReady" : "onShellReady";
  let isSent = false;
  let hasFailed = false;
  const { pipe, stop } = await render(page, ready, (error) => {
    hasFailed = true;
    if (isSent && !page.request.signal.aborted) page.report(error);
  });
  isSent = true;
  const body = createHtmlStream();
  // Otherwise every request's tree would live until the timer fires.
  body.once("close", stop);
  pipe(body);
  return { body: createReadableStreamFromReadable(body), hasFailed };
}

type Ready = "onShellReady" | "onAllReady";

/** Rejects if the page outside its Suspense boundaries fails. Aborts boundaries that wait beyond the loaders' time. */
function render(page: Page, ready: Ready, onError: (error: unknown) => void) {
  return new Promise<{ pipe: PipeableStream["pipe"]; stop(): void }>((resolve, reject) => {
    const stop = () => clearTimeout(timer);
    const { pipe, abort } = renderToPipeableStream(<Document {...page} />, {
      nonce: page.nonce,
      [ready]: () => resolve({ pipe, stop }),
      onShellError(error) {
        stop();
        reject(error);
      },
      onError,
    });
    const timer = setTimeout(abort, streamTimeout + 1000);
  });
}

/** A visitor who left is no error, nor is one who asked for what is not there. */
export function handleError(error: unknown, { request, context }: { request: Request; context: AppLoadContext }) {
  if (request.signal.aborted || (isRouteErrorResponse(error) && error.status < 500)) return;
  context.report(error);
}
