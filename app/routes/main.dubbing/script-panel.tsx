import { type ReactNode, Suspense, useMemo, useState } from "react";
import { editorCopy, importCopy, musicRowCopy, otherTabCopy } from "~/copy/dubbing";
import { useHasCall } from "~/state/capabilities";
import { Button } from "~/ui/button";
import { useFileDrop } from "~/ui/fields";
import { ToolIcon } from "~/ui/icons/tool-icon";
import { lazyPart } from "~/ui/lazy-part";
import { useStore } from "~/ui/store";
import type { DraftSync } from "./draft";
import { isDubOf } from "./dub";
import { isOverrun } from "./editor/line-status";
import { isBlank } from "./editor/script";
import { ScriptLines } from "./editor/script-lines";
import { type Caret, type ScriptStore, useScript } from "./editor/store";
import { type EditorStores, type LineActions, type OpenLinePiece, useLineActions } from "./editor/use-line-actions";
import { Footer } from "./footer";
import type { Importing } from "./importing/use-importing";
import { Overview } from "./overview";
import type { OpenDialog } from "./studio-dialogs";
import { ImportBar, SceneOffer, type ScriptEditing, Toolbar } from "./toolbar";
import type { DubActions } from "./use-dub-actions";
import type { DubSession } from "./use-dub-session";
import type { Playback } from "./use-playback";

const BulkBar = lazyPart(async () => ({ default: (await import("./editor/bulk-bar")).BulkBar }));
const OverrunBar = lazyPart(async () => ({ default: (await import("./editor/overrun")).OverrunBar }));
const FindBar = lazyPart(async () => ({ default: (await import("./editor/find-bar")).FindBar }));

/** The edits that the buttons make; an emphasis needs the selection of a field. */
interface Editing extends Omit<ScriptEditing, "emphasise"> {
  onCaret(caret: Caret): void;
  addLine(): void;
  /** Saves the script as a text file. */
  exportScript(): void;
  /** The line of the caret, or the line that had it last; the first one before. */
  findCaretLine(): string;
}

interface ScriptPanelProps {
  session: DubSession;
  playback: Playback;
  actions: DubActions;
  editing: Editing;
  importing: Importing;
  onDialog(open: OpenDialog): void;
  onPiece(piece: OpenLinePiece): void;
  announce(text: string): void;
}

/** The script with its toolbar, its lines and its price. */
export function ScriptPanel(props: ScriptPanelProps) {
  const { session, playback, actions, editing, importing, onDialog, onPiece, announce } = props;
  const { editor, cast, generation, states, selection, price, draftSync } = session;
  const { dub } = selection;
  const canRetry = useHasCall("taskRetry");
  const [isFinding, setFinding] = useState(false);
  const isDubOfScript = useMemo(() => {
    const written = session.lines.filter((line) => !isBlank(line));
    return !dub || isDubOf(dub, written);
  }, [dub, session.lines]);
  const overruns = useMemo(() => [...states].flatMap(([id, state]) => (isOverrun(state) ? [id] : [])), [states]);
  const openFile = (file: File) => void importing.openFile(file);
  const lineActions = useLineActions(editor.store, {
    ...{ onCaret: editing.onCaret, onPasteRows: importing.pasteRows, onPiece, announce },
    ...{ onListen: actions.listenLine, onListenFrom: actions.listenFrom, onSpeedUp: actions.speedUp },
    onDelivery: (id) => onDialog({ kind: "tone", ids: [id] }),
    onFind: () => setFinding(true),
    onRetry: () => (canRetry && dub?.status === 3 ? actions.changeDub(dub, "retry") : void actions.generate()),
    onRole: (id) => onDialog({ kind: "role", ids: [id] }),
    onTakes: (id) => onDialog({ kind: "takes", id }),
  });
  return (
    <div className="min-w-0">
      <Toolbar
        editing={{ ...editing, emphasise: () => lineActions.onEmphasis(editing.findCaretLine()) }}
        onFile={openFile}
        onPaste={() => onDialog({ kind: "paste" })}
        onProjects={() => onDialog({ kind: "projects" })}
        saveStatus={draftSync.status}
        store={editor.store}
      />
      <TabConflict draftSync={draftSync} />
      <ImportBar openingFile={importing.openingFile} search={importing.search} />
      <FileDrop onFile={openFile}>
        <Overview
          lines={session.lines}
          onFind={() => setFinding(true)}
          onLine={(id) => editor.selection.rowOf(id)?.scrollIntoView({ block: "center" })}
          states={states}
        />
        {overruns.length > 0 && (
          <Suspense>
            <OverrunBar ids={overruns} onFitAll={actions.fitAll} />
          </Suspense>
        )}
        {isFinding && (
          <Suspense>
            <FindBar announce={announce} editor={editor} onClose={() => setFinding(false)} />
          </Suspense>
        )}
        <ScriptLines
          actions={lineActions}
          editor={editor}
          playingId={playback.playing?.id ?? null}
          sound={playback.playing?.sound ?? "silent"}
          speakers={cast.speakers}
          states={states}
        />
        <Bulk actions={lineActions} announce={announce} editor={editor} onDialog={onDialog} />
        <button
          className="flex min-h-[52px] w-full items-center gap-2 border-b border-line px-4 text-sm text-muted transition-colors hover:bg-wash hover:text-ink"
          onClick={editing.addLine}
          type="button"
        >
          <ToolIcon name="plus" size={18} />
          {editorCopy.add}
        </button>
        {price.written === 0 && <SceneOffer onScene={importing.addText} />}
        <MusicRow onOpen={() => onDialog({ kind: "music" })} store={editor.store} />
        <Footer
          dub={dub}
          hasChanges={!isDubOfScript}
          isPlaying={playback.isPlaying}
          isStarting={generation.isStarting}
          onCancel={() => dub && actions.changeDub(dub, "cancel")}
          onExportScript={editing.exportScript}
          onGenerate={() => void actions.generate()}
          onListen={actions.listenAll}
          price={price}
          store={editor.store}
        />
      </FileDrop>
    </div>
  );
}

/** The music under the speech, and the way to change it. */
function MusicRow({ store, onOpen }: { store: ScriptStore; onOpen(): void }) {
  const music = useScript(store, ({ present }) => present.music);
  if (!useHasCall("musicUpload")) return null;
  return (
    <button
      aria-haspopup="dialog"
      className="flex min-h-[52px] w-full items-center gap-2 px-4 text-left text-sm text-muted transition-colors hover:bg-wash hover:text-ink"
      onClick={onOpen}
      type="button"
    >
      <ToolIcon className="shrink-0" name="music" size={18} />
      <span className="shrink-0">{musicRowCopy.label}</span>
      {music && <span className="min-w-0 truncate text-ink">{musicRowCopy.text(music)}</span>}
    </button>
  );
}

interface BulkProps {
  editor: EditorStores;
  actions: LineActions;
  onDialog(open: OpenDialog): void;
  announce(text: string): void;
}

/** The bar of the selected lines, loaded with the first selection. */
function Bulk({ editor, actions, onDialog, announce }: BulkProps) {
  const isNeeded = useStore(editor.selection.ids, ({ size }) => size > 0);
  const [wasNeeded, setWasNeeded] = useState(false);
  if (isNeeded && !wasNeeded) setWasNeeded(true);
  if (!isNeeded && !wasNeeded) return null;
  return (
    <Suspense>
      <BulkBar
        announce={announce}
        editor={editor}
        onRemove={actions.onRemove}
        onRole={(ids) => onDialog({ kind: "role", ids })}
        onTone={(ids) => onDialog({ kind: "tone", ids })}
      />
    </Suspense>
  );
}

/** Another tab has changed the same draft. */
function TabConflict({ draftSync }: { draftSync: DraftSync }) {
  if (useStore(draftSync.status) !== "conflict") return null;
  return (
    <div className="mb-3 flex flex-wrap items-center gap-3 rounded border border-seal px-4 py-2" role="alert">
      <p className="flex-1 text-sm">{otherTabCopy.conflict}</p>
      <Button onClick={() => void draftSync.loadOther()}>{otherTabCopy.theirs}</Button>
      <Button onClick={() => void draftSync.overwrite()}>{otherTabCopy.mine}</Button>
    </div>
  );
}

interface FileDropProps {
  onFile(file: File): void;
  children: ReactNode;
}

/** A card that accepts a dropped file. */
function FileDrop({ onFile, children }: FileDropProps) {
  const { isOver, zone } = useFileDrop(onFile);
  return (
    <section aria-label={editorCopy.script} className="relative rounded-card border border-line bg-surface" {...zone}>
      {children}
      {isOver && (
        <div className="pointer-events-none absolute inset-0 z-20 grid place-items-center rounded-card border-2 border-dashed border-seal bg-[color-mix(in_srgb,var(--surface)_88%,transparent)] text-seal">
          {importCopy.drop}
        </div>
      )}
    </section>
  );
}
