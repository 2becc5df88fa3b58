import { useState } from "react";
import { type Refusal, refusalOf } from "~/call";
import { toneDialogCopy } from "~/copy/dubbing";
import { importDialogCopy } from "~/copy/dubbing-dialogs";
import { bulkCopy } from "~/copy/dubbing-tools";
import { sentenceFor } from "~/copy/errors";
import { useAccount } from "~/features/account/provider";
import { usePlayer } from "~/features/player/provider";
import { chosenReference, noReferences, referenceFault, uploadReference } from "~/features/reference/reference";
import { ReferencePanel } from "~/features/reference/reference-panel";
import { notify } from "~/features/toasts/notify";
import type { ToneSample } from "~/features/tone/moods";
import { type SpeakingTone, toTone } from "~/features/tone/tone";
import { TonePanel } from "~/features/tone/tone-panel";
import { useHasCall } from "~/state/capabilities";
import { askToBuy } from "~/state/dialog-requests";
import { Button } from "~/ui/button";
import { Dialog } from "~/ui/dialog";
import { Fault } from "~/ui/feedback";
import { usePressWhenReady } from "~/ui/store";
import type { Delivery } from "./editor/script";
import { EncodingDialog, MappingDialog, PasteDialog } from "./importing/import-dialogs";
import type { ParsedLine } from "./importing/parsed-line";
import type { Importing } from "./importing/use-importing";
import { ForAll, type LineDialogProps, LineRole, LineTakes, useChosenLines } from "./line-dialogs";
import { MusicDialog } from "./music-dialog";
import { ProjectsDialog } from "./projects/projects-dialog";
import type { DubSession } from "./use-dub-session";

/** `ids`: the lines that it changes. */
export type OpenDialog =
  | { kind: "role" | "tone"; ids: readonly string[] }
  | { kind: "takes"; id: string }
  | { kind: "paste" | "projects" | "music" }
  | null;

interface StudioDialogsProps {
  open: OpenDialog;
  session: DubSession;
  importing: Importing;
  onLogIn(): void;
  onClose(): void;
}

/** The dialogs of the page, one at a time; the question of an import comes first. */
export function StudioDialogs({ open, session, importing, onLogIn, onClose }: StudioDialogsProps) {
  const { question, novelQuestion, encodingQuestion, addText } = importing;
  if (encodingQuestion) return <EncodingDialog question={encodingQuestion} />;
  if (novelQuestion) return <NovelDialog question={novelQuestion} />;
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
  if (open?.kind === "projects") return <ProjectsDialog onClose={onClose} session={session} />;
  if (open?.kind === "music") return <MusicDialog onClose={onClose} onLogIn={onLogIn} session={session} />;
  if (open?.kind === "takes") return <LineTakes id={open.id} onClose={onClose} session={session} />;
  if (open?.kind === "tone") return <LineTone ids={open.ids} onClose={onClose} session={session} />;
  if (open?.kind === "role") return <LineRole ids={open.ids} onClose={onClose} onLogIn={onLogIn} session={session} />;
  return null;
}

function LineTone({ ids, session, onClose }: LineDialogProps) {
  const { isSvip, isLogin } = useAccount().account;
  const player = usePlayer();
  const canHear = useHasCall("sample") && isLogin;
  const { line, sameRole, name } = useChosenLines(session, ids);
  if (!line) return null;
  const isOne = ids.length === 1;
  return (
    <ToneDialog
      delivery={line}
      forAll={isOne && sameRole.length > 1 ? toneDialogCopy.forAll(name, sameRole.length) : null}
      isProfessional={isSvip}
      onClose={onClose}
      onDone={(delivery, isForAll) => {
        session.editor.store.edit({ type: "set", ids: isForAll ? sameRole : ids, change: delivery });
        onClose();
      }}
      onLocked={() => {
        onClose();
        askToBuy({ packageType: 2 });
      }}
      sample={
        canHear ? { roleId: line.roleId, content: line.content, play: player.play, onRefused: notifyRefusal } : null
      }
      title={isOne ? toneDialogCopy.title(name) : bulkCopy.toneTitle(ids.length)}
    />
  );
}

const notifyRefusal = (refusal: Refusal) => notify({ kind: "error", text: sentenceFor(refusal) });

interface ToneDialogProps {
  title: string;
  delivery: Delivery;
  /** The words of the choice of all lines of the role; null without one. */
  forAll: string | null;
  isProfessional: boolean;
  onLocked(): void;
  sample: ToneSample | null;
  onDone(delivery: Delivery, isForAll: boolean): void;
  onClose(): void;
}

/** Edits the delivery of a line, or of all lines of its role. */
function ToneDialog(props: ToneDialogProps) {
  const { title, delivery, forAll, isProfessional, onLocked, sample, onDone, onClose } = props;
  const player = usePlayer();
  const [tone, setTone] = useState<SpeakingTone>(() => toTone(delivery));
  const [references, setReferences] = useState(noReferences);
  const [isForAll, setForAll] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);

  const done = async () => {
    const emotionPath = await findEmotionPath();
    if (emotionPath === null) return;
    const { speed, pitch, volume, genre, ext } = tone;
    onDone({ speed, pitch, volume, genre, ext: genre === 2 ? ext : undefined, emotionPath }, isForAll);
  };
  const { isWaiting, press } = usePressWhenReady(() => void done());
  /** The path of the reference recording, undefined if the tone needs none; null after a failure, which is shown. */
  const findEmotionPath = async (): Promise<string | undefined | null> => {
    if (tone.genre !== 1) return undefined;
    const reference = chosenReference(references);
    if (!reference && delivery.emotionPath) return delivery.emotionPath;
    const referenceProblem = referenceFault(references);
    setFault(referenceProblem);
    if (referenceProblem || !reference) return null;
    setSending(true);
    try {
      return await uploadReference(reference);
    } catch (error) {
      setFault(sentenceFor(refusalOf(error)));
      return null;
    } finally {
      setSending(false);
    }
  };
  return (
    <Dialog closeLabel={toneDialogCopy.close} onClose={onClose} title={title}>
      <div className="mt-3">
        <TonePanel
          isProfessional={isProfessional}
          onChange={(change) => setTone((now) => ({ ...now, ...change }))}
          onLocked={onLocked}
          reference={
            <ReferencePanel
              onChange={(change) => setReferences((now) => ({ ...now, ...change }))}
              onPlay={() => player.isPlaying && player.toggle()}
              value={references}
            />
          }
          sample={sample}
          value={tone}
        />
      </div>
      <Fault className="mt-2 text-xs">{fault}</Fault>
      {forAll && (
        <ForAll isOn={isForAll} onChange={setForAll}>
          {forAll}
        </ForAll>
      )}
      <Button className="mt-3 w-full" kind="primary" onClick={press} pending={isWaiting || isSending}>
        {isSending ? toneDialogCopy.sending : toneDialogCopy.done}
      </Button>
    </Dialog>
  );
}

/** Asks whether the people of a novel get voices of their own. */
function NovelDialog({ question }: { question: NonNullable<Importing["novelQuestion"]> }) {
  const { cast, choose, cancel } = question;
  const people = countPeople(cast);
  const unsure = cast.filter(({ isUnsure }) => isUnsure).length;
  const words = importDialogCopy.novel;
  return (
    <Dialog closeLabel={importDialogCopy.close} description={words.hint(unsure)} onClose={cancel} title={words.title}>
      <ul className="mt-4 flex flex-wrap gap-2">
        {people.slice(0, peopleShown).map(({ name, lines }) => (
          <li className="rounded-full bg-wash px-3 py-1 text-sm" key={name}>
            {name} <span className="tabular text-muted">{importDialogCopy.lines(lines)}</span>
          </li>
        ))}
        {people.length > peopleShown && (
          <li className="px-1 py-1 text-sm text-muted">{words.others(people.length - peopleShown)}</li>
        )}
      </ul>
      <div className="mt-5 flex flex-col gap-2.5 md:flex-row-reverse">
        <Button className="flex-1" kind="primary" onClick={() => choose("cast")}>
          {words.cast}
        </Button>
        <Button className="flex-1" onClick={() => choose("narrator")}>
          {words.narrator}
        </Button>
      </div>
    </Dialog>
  );
}

const peopleShown = 12;

/** The most talkative first. */
function countPeople(lines: readonly ParsedLine[]) {
  const counts = new Map<string, number>();
  for (const { name } of lines) if (name !== null) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => ({ name, lines: count })).sort((a, b) => b.lines - a.lines);
}
