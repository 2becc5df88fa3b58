/** Says what a part of the page needs, in a browser without JavaScript; server-rendered and never hydrated. */
export function NoScript({ sentence, link, to }: { sentence: string; link?: string; to?: string }) {
  return (
    <noscript>
      <p className="mb-4 rounded-card border border-line bg-surface px-4 py-4 text-sm">
        {sentence}
        {link && to && (
          <a className="ml-1 inline-flex min-h-[44px] items-center underline underline-offset-4" href={to}>
            {link}
          </a>
        )}
      </p>
    </noscript>
  );
}
