import { Suspense, useState } from "react";
import { usePlayer } from "~/features/player/provider";
import { notify } from "~/features/toasts/notify";
import { DialogFailure, lazyPart } from "~/ui/lazy-part";
import { LiveRegion } from "~/ui/visually-hidden";
import { Desk } from "./desk";
import { type OpenPiece, PiecePopover } from "./editor/piece-popover";
import { useImporting } from "./importing/use-importing";
import { DubRecords } from "./records/records";
import type { OpenDialog } from "./studio-dialogs";
import { type StudioProps, useWorkshop, type Workshop } from "./use-dub-session";
import { useWriting } from "./use-editing";
import { usePerforming } from "./use-playback";

const StudioDialogs = lazyPart(
  async () => ({ default: (await import("./studio-dialogs")).StudioDialogs }),
  ({ onClose }, failure) => <DialogFailure failure={failure} onClose={onClose} />,
);

/** The dubbing page at work: the desk, the records beside it, and what opens above them. `lazy` wants a default export. */
export default function Studio(props: StudioProps) {
  const workshop = useWorkshop(props);
  const { store, isLogin, dub } = workshop;
  const [open, setOpen] = useState<OpenDialog>(null);
  const [piece, setPiece] = useState<OpenPiece | null>(null);
  const performing = usePerforming(workshop, (id) => setOpen({ kind: "role", id }));
  const { listening, askLogin } = performing;
  const writing = useWriting(workshop);
  const importing = useImporting(toImporting(workshop));
  const player = usePlayer();
  const logIn = () => askLogin("make", [], "asked");
  return (
    <div className="mx-auto grid min-h-[100dvh] max-w-page content-start gap-6 px-4 pb-10 pt-3.5 md:px-6 md:min-h-0 md:pt-6 lg:grid-cols-[minmax(0,1fr)_340px]">
      <Desk
        importing={importing}
        onDialog={setOpen}
        onPiece={setPiece}
        performing={performing}
        workshop={workshop}
        writing={writing}
      />
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
