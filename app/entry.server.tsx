import { Transform } from "node:stream";
import { type AppLoadContext, createReadableStreamFromReadable, type EntryContext } from "@remix-run/node";
import { isRouteErrorResponse, RemixServer } from "@remix-run/react";
import { isbot } from "isbot";
import { renderToPipeableStream } from "react-dom/server";
import { NonceProvider } from "~/ui/nonce";

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

interface Page {
  request: Request;
  status: number;
  headers: Headers;
  remix: EntryContext;
  nonce: string;
  report: AppLoadContext["report"];
}

export default function handleRequest(
  ...[request, status, headers, remix, { nonce, report }]: [Request, number, Headers, EntryContext, AppLoadContext]
): Promise<Response> {
  return render({ request, status, headers, remix, nonce, report });
}

/** Streams the document; crawlers get it whole. */
function render({ request, status, headers, remix, nonce, report }: Page): Promise<Response> {
  const ready = isbot(request.headers.get("user-agent")) ? "onAllReady" : "onShellReady";
  return new Promise((resolve, reject) => {
    let isShellSent = false;
    let hasFailed = false;
    const { pipe, abort } = renderToPipeableStream(
      <NonceProvider value={nonce}>
        <RemixServer context={remix} nonce={nonce} url={request.url} />
      </NonceProvider>,
      {
        nonce,
        [ready]() {
          isShellSent = true;
          const body = createHtmlStream();
          // Else every request's tree would live until the timer fires.
          body.once("close", () => clearTimeout(timer));
          headers.set("content-type", "text/html; charset=utf-8");
          resolve(new Response(createReadableStreamFromReadable(body), { headers, status: hasFailed ? 500 : status }));
          pipe(body);
        },
        onShellError(error) {
          clearTimeout(timer);
          reject(error);
        },
        onError(error) {
          hasFailed = true;
          if (isShellSent && !request.signal.aborted) report(error);
        },
      },
    );
    const timer = setTimeout(abort, streamTimeout + 1000);
  });
}

/** A visitor who left is no error, nor is one who asked for what is not there. */
export function handleError(error: unknown, { request, context }: { request: Request; context: AppLoadContext }) {
  if (request.signal.aborted || (isRouteErrorResponse(error) && error.status < 500)) return;
  context.report(error);
}
