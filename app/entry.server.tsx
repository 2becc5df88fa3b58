import { Transform } from "node:stream";
import { type AppLoadContext, createReadableStreamFromReadable, type EntryContext } from "@remix-run/node";
import { isRouteErrorResponse, RemixServer } from "@remix-run/react";
import { isbot } from "isbot";
import { renderToPipeableStream } from "react-dom/server";
import { DocumentProvider } from "~/ui/document-context";

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

/** Streams the document as its data arrives; crawlers get it whole. */
export default function handleRequest(
  ...[request, status, headers, remix, context]: [Request, number, Headers, EntryContext, AppLoadContext]
): Promise<Response> {
  const { nonce, report, requestId } = context;
  const ready = isbot(request.headers.get("user-agent")) ? "onAllReady" : "onShellReady";
  return new Promise((resolve, reject) => {
    const errors: unknown[] = [];
    let isSent = false;
    const { pipe, abort } = renderToPipeableStream(
      <DocumentProvider value={{ nonce, requestId: remix.staticHandlerContext.errors ? requestId : undefined }}>
        <RemixServer context={remix} nonce={nonce} url={request.url} />
      </DocumentProvider>,
      {
        nonce,
        [ready]: () => {
          isSent = true;
          errors.forEach(report);
          const body = createHtmlStream();
          // Otherwise every request's tree would live until the timer fires.
          body.once("close", () => clearTimeout(timer));
          headers.set("content-type", "text/html; charset=utf-8");
          const stream = createReadableStreamFromReadable(body);
          resolve(new Response(stream, { headers, status: errors.length > 0 ? 500 : status }));
          pipe(body);
        },
        onShellError(error) {
          clearTimeout(timer);
          reject(error);
        },
        onError(error) {
          if (!isSent) errors.push(error);
          else if (!request.signal.aborted) report(error);
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
