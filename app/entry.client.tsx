import { RemixBrowser } from "@remix-run/react";
import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";

declare global {
  interface Window {
    /** Called where a part of the page could not be loaded; false: the page stays, and the error shows. */
    reloadForChunk?: () => boolean;
  }
}

const reloadGuardMs = 10_000;
const reloadedAtKey = "chunk-reloaded-at";

/**
 * After a deployment the old page asks for files that are gone: load the new page, but never in a loop, and not without a
 * network. What was typed and chosen lies in drafts.
 */
window.reloadForChunk = () => {
  try {
    if (!navigator.onLine || Date.now() - Number(sessionStorage.getItem(reloadedAtKey)) < reloadGuardMs) return false;
    sessionStorage.setItem(reloadedAtKey, String(Date.now()));
  } catch {
    return false; // without a memory there is no knowing how often
  }
  window.location.reload();
  return true;
};

window.addEventListener("vite:preloadError", (event) => {
  if (window.reloadForChunk?.()) event.preventDefault();
});

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <RemixBrowser />
    </StrictMode>,
  );
  window.early?.listen();
});
