import { useAccount } from "~/features/account/provider";
import { askToBuy } from "~/features/checkout/buy-flag";
import { usePlayer } from "~/features/player/provider";
import { DialogFailure, lazyPart } from "~/ui/lazy-part";
import { MappingDialog } from "./importing/mapping-dialog";
import { PasteDialog } from "./importing/paste-dialog";
import type { Importing } from "./importing/use-importing";
import { SpeakerPicker } from "./speaker-picker";
import type { Workshop } from "./use-dub-session";

const ToneDialog = lazyPart(
  async () => ({ default: (await import("./tone-dialog")).ToneDialog }),
  ({ onClose }, failure) => <DialogFailure failure={failure} onClose={onClose} />,
);

/** What is asked about one line, or about a script that is coming in. */
export type OpenDialog = { kind: "role" | "tone"; id: string } | { kind: "paste" } | null;

interface StudioDialogsProps {
  open: OpenDialog;
  workshop: Workshop;
  importing: Importing;
  onLogIn(): void;
  onClose(): void;
}

/** The dialogs of the page; one shows at a time. */
export function StudioDialogs({ open, workshop, importing, onLogIn, onClose }: StudioDialogsProps) {
  const { asking, takeLines } = importing;
  if (asking) {
    return (
      <MappingDialog
        canReplace={asking.canReplace}
        lines={asking.lines}
        names={asking.unknown}
        onClose={asking.cancel}
        onDone={asking.done}
        otherwise={workshop.narrator()}
        speakers={[...workshop.speakers.values()]}
      />
    );
  }
  if (open?.kind === "paste") {
    return (
      <PasteDialog
        onClose={onClose}
        onLines={(lines) => {
          onClose();
          takeLines(lines);
        }}
      />
    );
  }
  if (open?.kind === "tone") return <LineTone id={open.id} onClose={onClose} workshop={workshop} />;
  if (open?.kind === "role") return <LineRole id={open.id} onClose={onClose} onLogIn={onLogIn} workshop={workshop} />;
  return null;
}

interface LineDialogProps {
  id: string;
  workshop: Workshop;
  onClose(): void;
}

function LineRole({ id, workshop, onClose, onLogIn }: LineDialogProps & { onLogIn(): void }) {
  const { store, lines, know, isLogin } = workshop;
  return (
    <SpeakerPicker
      chosen={lines.find((line) => line.id === id)?.roleId ?? null}
      isLoggedIn={isLogin}
      onChoose={(voice) => {
        know([voice]);
        store.edit({ type: "set", ids: [id], change: { roleId: voice.roleId } });
        onClose();
      }}
      onClose={onClose}
      onLogIn={() => {
        onClose();
        onLogIn();
      }}
    />
  );
}

function LineTone({ id, workshop, onClose }: LineDialogProps) {
  const { store, lines, nameOf } = workshop;
  const { account } = useAccount();
  const player = usePlayer();
  const line = lines.find((one) => one.id === id);
  if (!line) return null;
  const alike = lines.filter(({ roleId }) => roleId === line.roleId).map((one) => one.id);
  return (
    <ToneDialog
      alike={alike.length}
      delivery={line}
      isProfessional={account.isSvip}
      name={nameOf(line.roleId)}
      onClose={onClose}
      onDone={(delivery, isForAll) => {
        store.edit({ type: "set", ids: isForAll ? alike : [id], change: delivery });
        onClose();
      }}
      onLocked={() => {
        onClose();
        askToBuy();
      }}
      onPlay={() => player.isPlaying && player.toggle()}
    />
  );
}
