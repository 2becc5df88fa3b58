import type { LoaderFunctionArgs } from "@remix-run/node";
import { paths } from "~/paths";

/**
 * The service worker: shows the offline page where a page cannot be had, and answers nothing else from its cache, so
 * that nothing is ever stale. See docs/decisions/0018-updates.md.
 */
export function loader({ context: { buildId } }: LoaderFunctionArgs) {
  return new Response(scriptOf(buildId), {
    headers: {
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "public, max-age=0, must-revalidate",
    },
  });
}

/** Its bytes change with the build, so that browsers install the new one and its offline page. */
const scriptOf = (buildId: string) => `const cacheName = ${JSON.stringify(`offline-${buildId}`)};
const offlinePage = ${JSON.stringify(paths.offline)};

const prepare = async () => {
  const cache = await caches.open(cacheName);
  await cache.add(new Request(offlinePage, { cache: "reload", credentials: "omit" }));
  await self.skipWaiting();
};

const takeOver = async () => {
  for (const name of await caches.keys()) if (name !== cacheName) await caches.delete(name);
  await self.registration.navigationPreload?.enable();
  await self.clients.claim();
};

const answer = async ({ request, preloadResponse }) => {
  try {
    return (await preloadResponse) ?? (await fetch(request));
  } catch (error) {
    const page = await caches.match(offlinePage);
    if (page) return page;
    throw error;
  }
};

/** Back to the page whose task ended. */
const comeBack = async () => {
  const [page] = await self.clients.matchAll({ type: "window" });
  return page ? page.focus() : self.clients.openWindow("/");
};

// Caches documents only: a downloaded file must not replace the offline page.
const isPage = ({ method, mode, url }) =>
  method === "GET" && mode === "navigate" && !/^\\/(?:bff|api)\\//.test(new URL(url).pathname);

self.addEventListener("install", (event) => event.waitUntil(prepare()));
self.addEventListener("activate", (event) => event.waitUntil(takeOver()));
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(comeBack());
});
self.addEventListener("fetch", (event) => {
  if (isPage(event.request)) event.respondWith(answer(event));
});
`;
