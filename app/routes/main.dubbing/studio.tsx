import { lazy, Suspense, useState } from "react";
import { tabsCopy } from "~/copy/dubbing/drafts";
import { editorCopy } from "~/copy/dubbing/editor";
import { recordsCopy } from "~/copy/dubbing/records";
import { usePlayer } from "~/features/player/provider";
import { Glyph } from "~/features/script-editor/glyphs";
import { ScriptLines } from "~/features/script-editor/script-lines";
import { notify } from "~/features/toasts/notify";
import { Button } from "~/ui/button";
import { LiveRegion } from "~/ui/visually-hidden";
import { Face } from "./face";
import { useImporting } from "./importing/use-importing";
import { exportItems } from "./records/export-items";
import { DubRecords } from "./records/records";
import type { OpenDialog } from "./studio-dialogs";
import { FileDrop } from "./tools/file-drop";
import { Footer } from "./tools/footer";
import { type OpenPiece, PiecePopover } from "./tools/piece-popover";
import { Toolbar } from "./tools/toolbar";
import { usePerforming } from "./use-performing";
import { type StudioProps, useWorkshop, type Workshop } from "./use-workshop";
import { useWriting } from "./use-writing";

const StudioDialogs = lazy(async () => ({ default: (await import("./studio-dialogs")).StudioDialogs }));

/** The dubbing page at work. `lazy` wants a default export. */
export default function Studio(props: StudioProps) {
  const workshop = useWorkshop(props);
  const { store, isLogin, dub, running, making, price, speakers } = workshop;
  const [open, setOpen] = useState<OpenDialog>(null);
  const [piece, setPiece] = useState<OpenPiece | null>(null);
  const performing = usePerforming(workshop, (id) => setOpen({ kind: "role", id }));
  const { listening, askLogin } = performing;
  const writing = useWriting(workshop);
  const importing = useImporting(toImporting(workshop));
  const openFile = (file: File) => void importing.openFile(file);
  const player = usePlayer();
  const logIn = () => askLogin("make", [], "asked");
  return (
    <div className="mx-auto grid max-w-page gap-6 px-4 pb-10 pt-3.5 md:px-6 md:pt-6 lg:grid-cols-[minmax(0,1fr)_340px]">
      <div className="min-w-0">
        <Toolbar
          exports={exportsOf(workshop)}
          keeping={workshop.kept.keeping}
          onFile={openFile}
          onPaste={() => setOpen({ kind: "paste" })}
          onPause={writing.insertPause}
          onStartOver={writing.startOver}
          store={store}
        />
        {workshop.kept.keeping === "conflict" && <TabConflict kept={workshop.kept} />}
        <FileDrop onFile={openFile}>
          <ScriptLines
            along={workshop.along}
            Face={Face}
            onCaret={writing.onCaret}
            onDelivery={(id) => setOpen({ kind: "tone", id })}
            onListen={performing.listenLine}
            onListenFrom={performing.listenFrom}
            onPasteRows={importing.pasteRows}
            onPiece={setPiece}
            onRetry={() => (dub?.status === 3 ? writing.change(dub, "retry") : void performing.make())}
            onRole={(id) => setOpen({ kind: "role", id })}
            polyphones={workshop.polyphones}
            say={workshop.say}
            sounding={listening.sounding}
            speakers={speakers}
            states={workshop.states}
            store={store}
          />
          <AddLine onAdd={writing.addLine} />
          <Footer
            isListening={listening.isListening}
            isLoggedIn={isLogin}
            isStarting={making.isStarting}
            onCancel={() => dub && writing.change(dub, "cancel")}
            onListen={performing.listenAll}
            onMake={() => void performing.make()}
            price={price}
            running={running}
          />
        </FileDrop>
      </div>
      <DubRecords
        isLoggedIn={isLogin}
        onChange={writing.change}
        onEdit={writing.editDub}
        onListen={(one) => {
          if (one.dubbId !== dub?.dubbId) writing.editDub(one);
          listening.listen(store.get().lines.map(({ id }) => id));
        }}
        onLogIn={logIn}
        onPlay={(one) => (listening.playingDub === one.dubbId ? listening.toggle() : listening.listenWhole(one))}
        onRemove={(one) => void writing.removeDub(one)}
        playing={player.isPlaying ? listening.playingDub : null}
        shelf={workshop.shelf}
      />
      <LiveRegion>{workshop.said}</LiveRegion>
      {piece && (
        <PiecePopover
          isLoggedIn={isLogin}
          onClose={() => setPiece(null)}
          onLogIn={logIn}
          open={piece}
          polyphones={workshop.polyphones}
          store={store}
          tell={notify}
        />
      )}
      {(open || importing.asking) && (
        <Suspense>
          <StudioDialogs
            importing={importing}
            onClose={() => setOpen(null)}
            onLogIn={logIn}
            open={open}
            workshop={workshop}
          />
        </Suspense>
      )}
    </div>
  );
}

const toImporting = ({ store, speakers, isLogin, know, narrator }: Workshop) => ({
  ...{ store, speakers, narrator, tell: notify },
  isLoggedIn: isLogin,
  onSpeakers: know,
});

function AddLine({ onAdd }: { onAdd(): void }) {
  return (
    <button
      className="flex min-h-[52px] w-full items-center gap-2 border-b border-line px-4 text-sm text-muted transition-colors hover:bg-wash hover:text-ink"
      onClick={onAdd}
      type="button"
    >
      <Glyph name="plus" size={18} />
      {editorCopy.add}
    </button>
  );
}

function TabConflict({ kept }: { kept: Workshop["kept"] }) {
  return (
    <div className="mb-3 flex flex-wrap items-center gap-3 rounded border border-seal px-4 py-2" role="alert">
      <p className="flex-1 text-sm">{tabsCopy.conflict}</p>
      <Button onClick={() => void kept.adopt()}>{tabsCopy.theirs}</Button>
      <Button onClick={() => void kept.insist()}>{tabsCopy.mine}</Button>
    </div>
  );
}

/** What can be saved now, and what to know about it. */
function exportsOf({ dub, price }: Workshop) {
  if (dub?.status !== 2) return { items: exportItems(null), heading: recordsCopy.exportHint };
  const heading = price.changed > 0 ? recordsCopy.exportStale : dub.title || editorCopy.untitled;
  return { items: exportItems(dub), heading };
}
