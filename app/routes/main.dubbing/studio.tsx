import { Suspense, useState } from "react";
import { useAccount } from "~/features/account/provider";
import { usePlayer } from "~/features/player/provider";
import { LiveRegion } from "~/ui/feedback";
import { DialogFailure, lazyPart } from "~/ui/lazy-part";
import { type OpenPiece, PiecePopover } from "./editor/piece-popover";
import { useImporting } from "./importing/use-importing";
import { DubRecords } from "./records/records";
import { ScriptPanel } from "./script-panel";
import type { OpenDialog } from "./studio-dialogs";
import { useDubActions } from "./use-dub-actions";
import { type StudioProps, useDubSession } from "./use-dub-session";
import { useEditing } from "./use-editing";
import { usePlayback } from "./use-playback";

const StudioDialogs = lazyPart(
  async () => ({ default: (await import("./studio-dialogs")).StudioDialogs }),
  ({ onClose }, failure) => <DialogFailure failure={failure} onClose={onClose} />,
);

/** The dubbing page after the draft has been loaded. The default export is for `lazyPart`. */
export default function Studio(props: StudioProps) {
  const [announcement, announce] = useState("");
  const [dialog, setDialog] = useState<OpenDialog>(null);
  const [piece, setPiece] = useState<OpenPiece | null>(null);
  const { isLogin } = useAccount().account;
  const player = usePlayer();
  const session = useDubSession(props, announce);
  const playback = usePlayback(session);
  const actions = useDubActions(session, playback, (id) => setDialog({ kind: "role", id }));
  const editing = useEditing(session);
  const importing = useImporting(session.editor.store, session.cast, isLogin);
  const logIn = () => actions.requestLogin("make", [], "asked");
  return (
    <div className="mx-auto grid min-h-[100dvh] max-w-page content-start gap-6 px-4 pb-10 pt-3.5 md:px-6 md:min-h-0 md:pt-6 lg:grid-cols-[minmax(0,1fr)_340px]">
      <ScriptPanel
        actions={actions}
        announce={announce}
        editing={editing}
        importing={importing}
        onDialog={setDialog}
        onPiece={setPiece}
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
      <LiveRegion>{announcement}</LiveRegion>
      {piece && <PiecePopover editor={session.editor} onClose={() => setPiece(null)} onLogIn={logIn} open={piece} />}
      {(dialog || importing.question) && (
        <Suspense>
          <StudioDialogs
            importing={importing}
            onClose={() => setDialog(null)}
            onLogIn={logIn}
            open={dialog}
            session={session}
          />
        </Suspense>
      )}
    </div>
  );
}
