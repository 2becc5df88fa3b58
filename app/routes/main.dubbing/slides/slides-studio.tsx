import { Link } from "@remix-run/react";
import { Suspense, useMemo, useRef, useState } from "react";
import { editorCopy } from "~/copy/dubbing";
import { slidesPageCopy } from "~/copy/pages";
import { slidesCopy as copy } from "~/copy/slides";
import { useAccount } from "~/features/account/provider";
import { paths } from "~/paths";
import { useHasCall } from "~/state/capabilities";
import { Button, buttonClass, IconButton } from "~/ui/button";
import { LiveRegion } from "~/ui/feedback";
import { fileInput, useFileDrop } from "~/ui/fields";
import { ToolIcon } from "~/ui/icons/tool-icon";
import { lazyDialog } from "~/ui/lazy-part";
import type { StudioView } from "~server/bff/generations.server";
import { isDubOf, isRunning } from "../dub";
import { isBlank } from "../editor/script";
import { useScript } from "../editor/store";
import { Footer } from "../footer";
import { slidesProjectId } from "../projects/current";
import { useDubActions } from "../use-dub-actions";
import { type DubSession, useDubSession } from "../use-dub-session";
import { usePlayback } from "../use-playback";
import { type OpenedDeck, usePagePictures } from "./deck";
import { SlidesIntro } from "./intro";
import { PageCard, SlidesSaveStatus } from "./page-card";
import { PageStrip } from "./page-strip";
import { type SlidesDeck, useSlides } from "./use-slides";

const RoleDialog = lazyDialog(async () => ({ default: (await import("../line-dialogs")).LineRole }));

const SlidesFilm = lazyDialog(() => import("./slides-film"));

type StudioProps = OpenedDeck & StudioView;
type OpenSlidesDialog = { kind: "role"; ids: readonly string[] } | { kind: "film" } | null;

/** The slides page after its draft has been loaded. The default export is for `lazyPart`. */
export default function SlidesStudio({ draft, deck: storedDeck, voices, records, allowance }: StudioProps) {
  const [announcement, announce] = useState("");
  const [dialog, setDialog] = useState<OpenSlidesDialog>(null);
  const { isLogin } = useAccount().account;
  const session = useDubSession({ projectId: slidesProjectId, draft, voices, records, allowance }, announce);
  const playback = usePlayback(session);
  const actions = useDubActions(session, playback, (id) => setDialog({ kind: "role", ids: [id] }));
  const slides = useSlides(session, storedDeck, announce);
  const pictures = usePagePictures(slides.deck);
  const { isOver, zone } = useFileDrop((file) => void slides.openFile(file));
  const { dub } = session.selection;
  const logIn = () => actions.requestLogin("make", [], "asked");
  const close = () => setDialog(null);
  const hasChanges = useMemo(() => {
    const written = session.lines.filter((line) => !isBlank(line));
    return !!dub && !isDubOf(dub, written);
  }, [dub, session.lines]);
  const canFilm = useHasCall("videoCreate") && slides.deck?.pdf && dub?.status === 2 && dub.timelineUrl !== "";
  const hasPages = session.lines.some(({ page }) => page !== undefined);
  return (
    <div className="relative mx-auto min-h-[100dvh] max-w-page px-4 pb-10 pt-3.5 md:min-h-0 md:px-6 md:pt-6" {...zone}>
      <SlidesBar session={session} slides={slides} />
      {hasPages ? (
        <section aria-label={slidesPageCopy.heading} className="rounded-card border border-line bg-surface">
          <div className="grid grid-cols-[minmax(0,1fr)] lg:grid-cols-[232px_minmax(0,1fr)]">
            <PageStrip pictures={pictures} playingId={playback.playing?.id ?? null} session={session} slides={slides} />
            <PageCard
              actions={actions}
              onRole={(ids) => setDialog({ kind: "role", ids })}
              pictures={pictures}
              playback={playback}
              session={session}
              slides={slides}
            />
          </div>
          <Footer
            className="border-t border-line lg:sticky lg:bottom-0 lg:z-10"
            dub={dub}
            hasChanges={hasChanges}
            isPlaying={playback.isPlaying}
            isStarting={session.generation.isStarting}
            next={
              canFilm && (
                <Button
                  aria-haspopup="dialog"
                  className="!min-h-[48px] flex-1 !px-6 !text-base md:flex-none"
                  kind="primary"
                  onClick={() => setDialog({ kind: "film" })}
                >
                  {copy.film}
                </Button>
              )
            }
            onCancel={() => dub && actions.changeDub(dub, "cancel")}
            onGenerate={() => void actions.generate()}
            onListen={actions.listenAll}
            price={session.price}
            store={session.editor.store}
            words={copy}
          />
        </section>
      ) : (
        <SlidesIntro>
          <OpenButton kind="primary" label={copy.open} slides={slides} />
        </SlidesIntro>
      )}
      {isOver && <DropNotice />}
      <LiveRegion>{announcement}</LiveRegion>
      <Suspense>
        {dialog?.kind === "role" && (
          <RoleDialog ids={dialog.ids} onClose={close} onLogIn={isLogin ? () => {} : logIn} session={session} />
        )}
        {dialog?.kind === "film" && dub && !isRunning(dub) && slides.deck && pictures && (
          <SlidesFilm deck={slides.deck} dub={dub} lines={session.lines} onClose={close} pictures={pictures} />
        )}
      </Suspense>
    </div>
  );
}

const DropNotice = () => (
  <div className="pointer-events-none absolute inset-0 z-20 grid place-items-center rounded-card border-2 border-dashed border-seal bg-[color-mix(in_srgb,var(--surface)_88%,transparent)] text-seal">
    {copy.drop}
  </div>
);

/** The name of the file, the save status, and the actions on the whole. */
function SlidesBar({ session, slides }: { session: DubSession; slides: SlidesDeck }) {
  const { store } = session.editor;
  const canUndo = useScript(store, ({ past }) => past.length > 0);
  const canRedo = useScript(store, ({ future }) => future.length > 0);
  const { deck } = slides;
  return (
    <div className="mb-3.5 flex flex-wrap items-center gap-2">
      <div className="min-w-0 flex-[1_1_10rem]">
        <h1 className="font-song text-2xl font-semibold leading-[2.75rem]">{slidesPageCopy.heading}</h1>
        {deck && <p className="truncate text-xs text-muted">{deck.name}</p>}
      </div>
      {deck && (
        <span className="flex">
          <IconButton disabled={!canUndo} label={editorCopy.undo} onClick={() => store.undo()}>
            <ToolIcon name="undo" />
          </IconButton>
          <IconButton disabled={!canRedo} label={editorCopy.redo} onClick={() => store.redo()}>
            <ToolIcon name="redo" />
          </IconButton>
        </span>
      )}
      <Link className={buttonClass()} to={paths.dubbing}>
        {copy.toLines}
      </Link>
      {deck && <OpenButton label={deck.pdf ? copy.openOther : copy.addPictures} slides={slides} />}
      {deck && <SlidesSaveStatus session={session} />}
      {deck && !deck.pdf && <p className="w-full text-sm text-muted">{copy.noPictures}</p>}
      {slides.reading && (
        <p className="w-full text-sm text-muted" role="status">
          {copy.reading(slides.reading)}
        </p>
      )}
    </div>
  );
}

interface OpenButtonProps {
  label: string;
  kind?: "primary";
  slides: SlidesDeck;
}

function OpenButton({ label, kind, slides }: OpenButtonProps) {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        accept=".pdf,.pptx,application/pdf"
        aria-label={copy.file}
        className="sr-only"
        ref={picker}
        tabIndex={-1}
        {...fileInput((file) => void slides.openFile(file))}
      />
      <Button kind={kind} onClick={() => picker.current?.click()} pending={slides.reading !== null}>
        {label}
      </Button>
    </>
  );
}
