import { RemixBrowser } from "@remix-run/react";
import { StrictMode, startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { listenForBack } from "./ui/back-to-close";
import { loadForErrors } from "./ui/lazy-part";
import { tolerateMovedNodes } from "./ui/moved-nodes";

declare global {
  interface Window {
    /**
     * Loads the document of the page that was asked for, because a file of it is lost. False: it did so less than ten
     * seconds ago or there is no network, and the error shows.
     */
    reloadForChunk?: () => boolean;
    /** Set by Remix. */
    __remixRouter?: { state: { navigation: { location?: { pathname: string; search: string; hash: string } } } };
  }
}

const reloadGuardMs = 10_000;
const reloadedAtKey = "chunk-reloaded-at";

// After a deployment an old page asks for files that are gone. Drafts keep what was typed and chosen.
window.reloadForChunk = () => {
  try {
    if (!navigator.onLine || Date.now() - Number(sessionStorage.getItem(reloadedAtKey)) < reloadGuardMs) return false;
    sessionStorage.setItem(reloadedAtKey, String(Date.now()));
  } catch {
    return false; // without session storage every load could reload
  }
  const target = window.__remixRouter?.state.navigation.location;
  const isElsewhere = target && target.pathname + target.search !== window.location.pathname + window.location.search;
  if (isElsewhere) window.location.assign(target.pathname + target.search + target.hash);
  else window.location.reload();
  return true;
};

/**
 * RemixBrowser throws a promise until the page's data is decoded. Thrown within the hydration, React would lose a press
 * that arrives meanwhile, or end with its error 345, because no Suspense boundary stands above the page.
 */
async function prepareHydration(): Promise<void> {
  try {
    RemixBrowser({});
  } catch (decoding) {
    await decoding;
  }
  if (window.__remixContext.state.errors) await loadForErrors();
}

tolerateMovedNodes();
listenForBack();
void prepareHydration().then(() =>
  startTransition(() => {
    hydrateRoot(
      document.getElementById("app") as HTMLElement,
      <StrictMode>
        <RemixBrowser />
      </StrictMode>,
    );
    window.early?.listen();
  }),
);
