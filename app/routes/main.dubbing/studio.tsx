import { Suspense, useDeferredValue, useRef, useState } from "react";
import { editorCopy, importCopy } from "~/copy/dubbing";
import { dubbingRecordsCopy } from "~/copy/dubbing-records";
import { useAccount } from "~/features/account/provider";
import { usePlayer } from "~/features/player/provider";
import { pauseMark } from "~/features/readings/pieces";
import { notify } from "~/features/toasts/notify";
import { useHasCall } from "~/state/capabilities";
import { LiveRegion } from "~/ui/feedback";
import { lazyDialog, lazyPart } from "~/ui/lazy-part";
import { createStore, isAccountsDocument, type Store, useStore } from "~/ui/store";
import type { Dub } from "~server/bff/generations.server";
import { hasText, titleOf } from "./dub";
import { snapOffset } from "./editor/edits";
import { createLine, toDelivery } from "./editor/script";
import { type Caret, useScript } from "./editor/store";
import type { EditorStores, OpenLinePiece } from "./editor/use-line-actions";
import { type Importing, useImporting } from "./importing/use-importing";
import { DubRecords } from "./records/records";
import { ScriptPanel } from "./script-panel";
import { toScript } from "./stored-draft";
import type { OpenDialog } from "./studio-dialogs";
import { useDelayed } from "./toolbar";
import { useDubActions } from "./use-dub-actions";
import { type DubSession, type StudioProps, useDubSession } from "./use-dub-session";
import { usePlayback } from "./use-playback";

const StudioDialogs = lazyDialog(async () => ({ default: (await import("./studio-dialogs")).StudioDialogs }));

// A sync that fails is repeated by the next visit.
const AccountSync = lazyPart(
  () => import("./projects/account-sync"),
  () => null,
);

/** The page can be used before it asks the account. */
const syncAfterMs = 1000;

const PiecePopover = lazyDialog(() => import("~/features/readings/piece-popover"));

/** Dialogs over the page. Kept outside of React: opening one must not render the script and the records again. */
const createOverlays = () => ({
  announcement: createStore(""),
  dialog: createStore<OpenDialog>(null),
  piece: createStore<OpenLinePiece | null>(null),
});

/** The dubbing page after the draft has been loaded. The default export is for `lazyPart`. */
export default function Studio(props: StudioProps) {
  const [{ announcement, dialog, piece }] = useState(createOverlays);
  const { isLogin } = useAccount().account;
  const isSynced = useDelayed(useHasCall("projectPut") && isAccountsDocument(), syncAfterMs);
  const player = usePlayer();
  const session = useDubSession(props, announcement.set);
  const playback = usePlayback(session);
  const actions = useDubActions(session, playback, (id) => dialog.set({ kind: "role", ids: [id] }));
  const editing = useEditing(session);
  const importing = useImporting(session.editor.store, session.cast, {
    isLoggedIn: isLogin,
    onOther: () => session.selection.select(null),
  });
  const logIn = () => actions.requestLogin("make", [], "asked");
  return (
    <div className="mx-auto grid min-h-[100dvh] max-w-page grid-cols-[minmax(0,1fr)] content-start gap-6 px-4 pb-10 pt-3.5 md:px-6 md:min-h-0 md:pt-6 lg:grid-cols-[minmax(0,1fr)_340px]">
      {isSynced && (
        <Suspense>
          <AccountSync session={session} />
        </Suspense>
      )}
      <ScriptPanel
        actions={actions}
        announce={announcement.set}
        editing={editing}
        importing={importing}
        onDialog={dialog.set}
        onPiece={piece.set}
        playback={playback}
        session={session}
      />
      <DubRecords
        actions={{
          onPlay: (dub) => (playback.wholeDubId === dub.dubbId ? playback.toggle() : playback.playWhole(dub)),
          onListen(dub) {
            if (dub.dubbId !== session.selection.dub?.dubbId) editing.openDub(dub);
            playback.playLines(session.editor.store.get().lines.map(({ id }) => id));
          },
          onEdit: editing.openDub,
          onChange: actions.changeDub,
          onRemove: (dub) => void actions.removeDub(dub),
        }}
        isLoggedIn={isLogin}
        onLogIn={logIn}
        playingId={player.isPlaying ? playback.wholeDubId : null}
        records={session.records}
      />
      <Announcement store={announcement} />
      <Piece editor={session.editor} onLogIn={logIn} store={piece} />
      <Dialogs importing={importing} onLogIn={logIn} session={session} store={dialog} />
    </div>
  );
}

function Announcement({ store }: { store: Store<string> }) {
  return <LiveRegion>{useStore(store)}</LiveRegion>;
}

interface PieceProps {
  store: Store<OpenLinePiece | null>;
  editor: EditorStores;
  onLogIn(): void;
}

function Piece({ store, editor, onLogIn }: PieceProps) {
  const open = useStore(store);
  const line = useScript(editor.store, ({ present }) => present.lines.find(({ id }) => id === open?.lineId));
  const { isLogin } = useAccount().account;
  const { play } = usePlayer();
  if (!open || !line) return null;
  const { id, content, roleId } = line;
  return (
    <Suspense>
      <PiecePopover
        content={content}
        isLoggedIn={isLogin}
        notify={notify}
        onClose={() => store.set(null)}
        onContent={(next, at) => editor.store.edit({ type: "text", id, content: next }, { id, at })}
        onLogIn={onLogIn}
        open={open}
        play={play}
        polyphones={editor.polyphones}
        roleId={roleId}
      />
    </Suspense>
  );
}

interface DialogsProps {
  store: Store<OpenDialog>;
  session: DubSession;
  importing: Importing;
  onLogIn(): void;
}

/** Opens and closes in a render apart: with the press's own frame, a dialog over a long script is one task of 120 ms. */
function Dialogs({ store, ...rest }: DialogsProps) {
  const open = useDeferredValue(useStore(store));
  const { question, novelQuestion, encodingQuestion } = rest.importing;
  if (!open && !question && !novelQuestion && !encodingQuestion) return null;
  return (
    <Suspense>
      <StudioDialogs onClose={() => store.set(null)} open={open} {...rest} />
    </Suspense>
  );
}

/** The edits that the page's buttons make. */
function useEditing({ editor: { store }, cast, generation, selection, draftSync }: DubSession) {
  const caret = useRef<Caret | null>(null);
  const findCaretLine = () => {
    const { lines } = store.get();
    return lines.find(({ id }) => id === caret.current?.id) ?? lines[0];
  };
  return {
    onCaret(at: Caret) {
      caret.current = at;
    },
    findCaretLine: () => findCaretLine()?.id ?? "",
    addLine() {
      const last = store.get().lines.at(-1);
      const added = createLine({ ...(last && toDelivery(last)), roleId: last?.roleId || cast.defaultRoleId() });
      store.edit({ type: "insert", after: last?.id ?? null, lines: [added] }, { id: added.id, at: 0 });
    },
    /** Inserts at the caret, or where it was last. */
    insertPause(seconds: number) {
      const line = findCaretLine();
      if (!line) return;
      const at = snapOffset(line.content, line.id === caret.current?.id ? caret.current.at : 0);
      const mark = pauseMark(seconds);
      const content = line.content.slice(0, at) + mark + line.content.slice(at);
      store.edit({ type: "text", id: line.id, content }, { id: line.id, at: at + mark.length });
    },
    exportScript() {
      void import("./importing/script-text").then(
        ({ saveText, writeScript }) => {
          const script = store.get();
          const { text, extension } = writeScript(script, cast.nameOf);
          saveText(text, `${titleOf(script)}.${extension}`);
        },
        () => notify({ kind: "error", text: importCopy.sceneFailed }),
      );
    },
    startOver() {
      void draftSync.saveVersion();
      const lines = [createLine({ roleId: cast.defaultRoleId() })];
      store.edit({ type: "replace", script: { title: "", lines } });
      selection.select(null);
      notify({ kind: "info", text: editorCopy.startedOver });
    },
    /** Replaces the script by a dub's, if it has one. */
    openDub(dub: Dub) {
      if (!hasText(dub)) return;
      void draftSync.saveVersion();
      const { script, speakers } = toScript(dub);
      cast.addSpeakers(speakers);
      generation.follow(dub);
      store.edit({ type: "replace", script });
      selection.select(dub.dubbId);
      notify({ kind: "info", text: dubbingRecordsCopy.replaced });
      window.scrollTo({ top: 0 });
    },
  };
}
