import type { MetaDescriptor } from "@remix-run/react";
import { pageTitle } from "~/copy/site";

interface Match {
  id: string;
  data: unknown;
}

/** Title, description and Open Graph of a page; the site's name comes from the root loader. */
export function pageMeta(page: { title: string; description: string }, matches: readonly Match[]): MetaDescriptor[] {
  return describe({ title: pageTitle(page.title, siteNameOf(matches)), description: page.description });
}

export function describe({ title, description }: { title: string; description: string }): MetaDescriptor[] {
  return [
    { title },
    { name: "description", content: description },
    { property: "og:title", content: title },
    { property: "og:description", content: description },
    { property: "og:type", content: "website" },
    { property: "og:locale", content: "zh_CN" },
  ];
}

export function siteNameOf(matches: readonly Match[]): string {
  const root = matches.find(({ id }) => id === "root")?.data as { siteName?: string } | undefined;
  return root?.siteName ?? "";
}
