/** The file a URL means: as we sent it, or with the origin a proxy put before it. */
export function fileIdOf(url: string): string | null {
  return /\/api\/v1\/files\/([\w-]+)(?:\.\w+)?(?:\?.*)?$/.exec(url)?.[1] ?? null;
}

export const fileIdsOf = (urls: Array<string | null>): string[] => urls.flatMap((url) => (url && fileIdOf(url)) || []);
