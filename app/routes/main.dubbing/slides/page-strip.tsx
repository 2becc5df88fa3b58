import { type KeyboardEvent, memo, useEffect, useRef } from "react";
import { slidesCopy as copy } from "~/copy/slides";
import { createStore, useStore } from "~/ui/store";
import { isBlank, type ScriptLine } from "../editor/script";
import type { DubSession } from "../use-dub-session";
import { PagePictures } from "./deck";
import type { SlidesDeck } from "./use-slides";

interface PageStripProps {
  session: DubSession;
  slides: SlidesDeck;
  pictures: PagePictures | null;
  /** The line that sounds. */
  playingId: string | null;
}

const steps: Record<string, -1 | 1> = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 };

/** The pages as thumbnails: beside the page on wide screens, over it on phones. Arrows change the page, with Alt its place. */
export function PageStrip({ session, slides, pictures, playingId }: PageStripProps) {
  const { lines } = session;
  const { shownId, show, move, deck } = slides;
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    if (playingId) show(playingId);
  }, [playingId, show]);
  // Removed pages and pages of another tab.
  const current = lines.some(({ id }) => id === shownId) ? shownId : lines[0]?.id;
  useEffect(() => {
    rowOf(list.current, current)?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [current]);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key];
    const at = lines.findIndex(({ id }) => id === current);
    if (!step || at < 0) return;
    event.preventDefault();
    const next = lines[at + step];
    if (event.altKey) move(lines[at]?.id ?? "", step);
    else if (next) {
      show(next.id);
      rowOf(list.current, next.id)?.focus();
    }
  };
  return (
    <nav
      aria-label={copy.strip}
      className="border-b border-line lg:border-b-0 lg:border-r"
      onKeyDown={onKeyDown}
      title={copy.keys}
    >
      <ol
        className="flex gap-2 overflow-x-auto p-3 lg:max-h-[calc(100dvh-13rem)] lg:flex-col lg:overflow-y-auto lg:overflow-x-hidden"
        ref={list}
      >
        {lines.map((line, index) => (
          <PageThumb
            isCurrent={line.id === current}
            isHidden={slides.isHidden(line)}
            isPlaying={line.id === playingId}
            key={line.id}
            line={line}
            number={index + 1}
            onShow={show}
            pictures={pictures}
            title={deck?.titles[(line.page ?? 0) - 1] ?? ""}
          />
        ))}
      </ol>
    </nav>
  );
}

const rowOf = (list: Element | null, id: string | undefined) =>
  list?.querySelector<HTMLElement>(`[data-page="${CSS.escape(id ?? "")}"]`);

interface PageThumbProps {
  line: ScriptLine;
  number: number;
  title: string;
  isCurrent: boolean;
  isHidden: boolean;
  isPlaying: boolean;
  pictures: PagePictures | null;
  onShow(id: string): void;
}

const PageThumb = memo(function PageThumb(props: PageThumbProps) {
  const { line, number, title, isCurrent, isHidden, isPlaying, pictures, onShow } = props;
  const page = line.page ?? null;
  const row = useRef<HTMLLIElement>(null);
  // Pages out of sight are not drawn.
  useEffect(() => {
    if (!row.current || !pictures || page === null) return;
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && pictures.ask(page, "thumb"),
      { rootMargin: "200px" },
    );
    observer.observe(row.current);
    return () => observer.disconnect();
  }, [pictures, page]);
  const mark = isHidden ? copy.hiddenMark : isBlank(line) ? copy.blankMark : "";
  return (
    <li className="w-32 shrink-0 lg:w-auto" ref={row}>
      <button
        aria-current={isCurrent || undefined}
        aria-label={[copy.page(number, title), mark].filter(Boolean).join("，")}
        className={`block w-full rounded border-2 p-1 text-left text-xs ${isCurrent ? "border-seal" : "border-transparent hover:border-edge"}`}
        data-page={line.id}
        onClick={() => onShow(line.id)}
        tabIndex={isCurrent ? 0 : -1}
        type="button"
      >
        <PagePicture
          alt=""
          className={`aspect-video w-full rounded-sm ring-1 ring-line ${isHidden ? "opacity-40" : ""}`}
          page={page}
          pictures={pictures}
          size="thumb"
        />
        <span className="mt-1 flex min-h-5 items-baseline justify-between gap-1">
          <span className={`tabular ${isPlaying ? "text-celadon" : "text-muted"}`}>{number}</span>
          {mark && <span className="truncate text-muted">{mark}</span>}
        </span>
      </button>
    </li>
  );
});

interface PagePictureProps {
  page: number | null;
  size: "thumb" | "page";
  pictures: PagePictures | null;
  alt: string;
  className: string;
}

const noUrls = createStore<ReadonlyMap<string, string>>(new Map());

/** The page as far as it is drawn: the small picture stands in for the large one. */
export function PagePicture({ page, size, pictures, alt, className }: PagePictureProps) {
  const url = useStore(pictures?.urls ?? noUrls, (urls) => {
    const urlIn = (one: typeof size) => (page === null ? "" : urls.get(PagePictures.keyOf(page, one)));
    return urlIn(size) ?? urlIn("thumb");
  });
  if (url) return <img alt={alt} className={`${className} bg-wash object-contain`} src={url} />;
  return (
    <span className={`${className} grid place-items-center bg-wash text-xs text-muted`}>
      {url === "" && size === "page" ? copy.noPicture : ""}
    </span>
  );
}
