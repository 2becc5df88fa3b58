import { useState } from "react";
import { useAccount } from "~/features/account/provider";
import { askToBuy } from "~/features/checkout/buy-flag";
import { usePlayer } from "~/features/player/provider";
import { usePreviews } from "~/features/player/use-previews";
import { VoicePicker } from "~/features/voice-picker/voice-picker";
import type { Voice } from "~/features/voice-picker/voices";
import { DialogFailure, lazyPart } from "~/ui/lazy-part";
import { Face } from "./editor/line-row";
import { useScript } from "./editor/store";
import { MappingDialog, PasteDialog } from "./importing/import-dialogs";
import type { Importing } from "./importing/use-importing";
import type { DubSession } from "./use-dub-session";

const ToneDialog = lazyPart(
  async () => ({ default: (await import("./tone-dialog")).ToneDialog }),
  ({ onClose }, failure) => <DialogFailure failure={failure} onClose={onClose} />,
);

/** `id`: the line. */
export type OpenDialog = { kind: "role" | "tone"; id: string } | { kind: "paste" } | null;

interface StudioDialogsProps {
  open: OpenDialog;
  session: DubSession;
  importing: Importing;
  onLogIn(): void;
  onClose(): void;
}

/** The dialogs of the page, one at a time; the question of an import comes first. */
export function StudioDialogs({ open, session, importing, onLogIn, onClose }: StudioDialogsProps) {
  const { question, addText } = importing;
  if (question) {
    const { speakers, defaultRoleId } = session.cast;
    return <MappingDialog defaultRoleId={defaultRoleId()} question={question} speakers={[...speakers.values()]} />;
  }
  if (open?.kind === "paste") {
    return (
      <PasteDialog
        onClose={onClose}
        onText={(text) => {
          onClose();
          addText(text);
        }}
      />
    );
  }
  if (open?.kind === "tone") return <LineTone id={open.id} onClose={onClose} session={session} />;
  if (open?.kind === "role") return <LineRole id={open.id} onClose={onClose} onLogIn={onLogIn} session={session} />;
  return null;
}

interface LineDialogProps {
  id: string;
  session: DubSession;
  onClose(): void;
}

function LineRole({ id, session, onClose, onLogIn }: LineDialogProps & { onLogIn(): void }) {
  const { editor, cast } = session;
  const { isLogin } = useAccount().account;
  const line = useScript(editor.store, ({ present }) => present.lines.find((one) => one.id === id));
  const { listen, stateOf } = usePreviews();
  const [previewed, setPreviewed] = useState<Voice | null>(null);
  const isSounding = previewed && stateOf(previewed).sound === "playing";
  return (
    <VoicePicker
      chosen={line?.roleId ?? null}
      isLoggedIn={isLogin}
      onChoose={(voice) => {
        cast.addSpeakers([voice]);
        editor.store.edit({ type: "set", ids: [id], change: { roleId: voice.roleId } });
        onClose();
      }}
      onClose={onClose}
      onLogIn={() => {
        onClose();
        onLogIn();
      }}
      onPreview={(voice) => {
        setPreviewed(voice);
        listen(voice);
      }}
      picture={(voice) => <Face speaker={voice} />}
      playingId={isSounding ? previewed.roleId : null}
    />
  );
}

function LineTone({ id, session, onClose }: LineDialogProps) {
  const { editor, cast } = session;
  const lines = useScript(editor.store, ({ present }) => present.lines);
  const { isSvip } = useAccount().account;
  const player = usePlayer();
  const line = lines.find((one) => one.id === id);
  if (!line) return null;
  const sameRole = lines.filter(({ roleId }) => roleId === line.roleId).map((one) => one.id);
  return (
    <ToneDialog
      delivery={line}
      isProfessional={isSvip}
      name={cast.nameOf(line.roleId)}
      onClose={onClose}
      onDone={(delivery, isForAll) => {
        editor.store.edit({ type: "set", ids: isForAll ? sameRole : [id], change: delivery });
        onClose();
      }}
      onLocked={() => {
        onClose();
        askToBuy();
      }}
      onPlay={() => player.isPlaying && player.toggle()}
      sameRoleCount={sameRole.length}
    />
  );
}
