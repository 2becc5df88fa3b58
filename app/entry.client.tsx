import { RemixBrowser } from "@remix-run/react";
import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";

const reloadGuardMs = 10_000;
const reloadedAtKey = "chunk-reloaded-at";

// After a deployment the old page asks for chunks that are gone: load the new page, but never in a loop.
window.addEventListener("vite:preloadError", (event) => {
  const reloadedAt = Number(sessionStorage.getItem(reloadedAtKey));
  if (Date.now() - reloadedAt < reloadGuardMs) return;
  event.preventDefault();
  sessionStorage.setItem(reloadedAtKey, String(Date.now()));
  window.location.reload();
});

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <RemixBrowser />
    </StrictMode>,
  );
});
