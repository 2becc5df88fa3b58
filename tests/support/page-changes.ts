import type { Page } from "playwright";

/**
 * Replaces each text on the page by `<font><font>text</font></font>`, now and whenever one is added, as page translators
 * do; the words stay. Runs in the browser.
 */
function replaceTexts(startsWhen: "parsed" | "hydrated") {
  const kept = "script, style, textarea, svg, font, [translate=no]";
  const replace = (root: Node) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    while (walker.nextNode()) texts.push(walker.currentNode as Text);
    for (const text of texts) {
      if (!text.data.trim() || text.parentElement?.closest(kept)) continue;
      const font = document.createElement("font");
      font.append(document.createElement("font"));
      font.firstElementChild?.append(text.data);
      text.replaceWith(font);
    }
  };
  const start = () => {
    replace(document.body);
    const observer = new MutationObserver((records) => {
      for (const { addedNodes } of records) for (const node of addedNodes) if (node.isConnected) replace(node);
    });
    observer.observe(document.body, { childList: true, subtree: true });
  };
  const startOnceHydrated = () => {
    const main = document.querySelector("main");
    // React keeps its own properties on the elements that it has hydrated.
    if (main && Object.keys(main).some((key) => key.startsWith("__react"))) setTimeout(start, 100);
    else setTimeout(startOnceHydrated, 20);
  };
  // `async` scripts may run before the event; with nothing to be loaded they do not.
  if (startsWhen === "hydrated") startOnceHydrated();
  else document.addEventListener("readystatechange", start, { once: true });
}

/** Translates every document that the page opens from now on. */
export const translatePages = (page: Page, startsWhen: "parsed" | "hydrated") =>
  page.addInitScript(replaceTexts, startsWhen);

/** Adds elements at the start of head and body before the page's scripts run, as extensions do. */
export const addForeignElements = (page: Page) =>
  page.addInitScript(() => {
    const add = (parent: Element | null, tag: string) => {
      if (!parent || parent.querySelector(":scope > [data-foreign]")) return;
      const element = document.createElement(tag);
      element.dataset.foreign = "";
      parent.prepend(element);
    };
    new MutationObserver(() => {
      add(document.head, "meta");
      add(document.body, "div");
    }).observe(document, { childList: true, subtree: true });
  });
