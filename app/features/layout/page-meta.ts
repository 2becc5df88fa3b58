import type { MetaDescriptor } from "@remix-run/react";

interface Match {
  id: string;
  data: unknown;
}

/** Title (the specification's own words), description and Open Graph of a page. */
export function pageMeta(page: { title: string; description: string }, matches: readonly Match[]): MetaDescriptor[] {
  return [...describe(page), { property: "og:site_name", content: siteNameOf(matches) }];
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
