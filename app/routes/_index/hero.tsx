import { type ReactNode, Suspense } from "react";
import { heroCopy } from "~/copy/home";
import { humanCardCopy, siteCopy } from "~/copy/site";
import { usePreviews, wantsStillness } from "~/features/player/use-previews";
import { Listen, Picture } from "~/features/portrait/picture";
import type { Human } from "~/features/portrait/still";
import { useTheme } from "~/features/theme/theme";
import { useCapabilities } from "~/state/capabilities";
import { Badge, ListenButton, type SoundState } from "~/ui/button";
import { lazyPart } from "~/ui/lazy-part";
import type { Speech } from "~server/portrait/spoken-timeline";

/** The headline beside the person who says it at a tap; the face is a still picture until then. */
export function Hero({ humans }: { humans: readonly Human[] }) {
  const { listen, stateOf } = usePreviews();
  const human = humans.find(({ roleId }) => roleId === heroCopy.speaker) ?? humans[0];
  const spoken = human?.roleId === heroCopy.speaker ? heroCopy.spoken : null;
  const { sound, speech } = human ? stateOf(human) : { sound: "silent" as const, speech: undefined };
  const honest = heroCopy.honest[useCapabilities().engine];
  const line = spoken && sound === "playing" && <SpokenLine speech={speech} text={spoken} />;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] content-start items-start gap-x-2 self-start md:grid-cols-[minmax(0,1fr)_minmax(0,20rem)] md:grid-rows-[auto_1fr] md:gap-x-10 lg:sticky lg:top-24 lg:grid-cols-[minmax(0,1fr)] lg:grid-rows-none lg:pt-2">
      <h1 className="text-balance font-song text-3xl font-semibold md:text-4xl">
        {heroCopy.before}
        <br />
        {heroCopy.lead}
        <em className="not-italic text-seal">{heroCopy.accent}</em>
        {heroCopy.end}
      </h1>
      <div className="col-span-2 mt-2 grid max-w-[26em] content-start md:col-span-1 md:col-start-1 md:row-start-2 md:mt-4">
        <p className={`text-sm text-muted [grid-area:1/1] md:text-lg ${line ? "max-md:invisible" : ""}`}>
          {heroCopy.sentence}
          {honest && <span className="mt-1 hidden text-sm md:block">{honest}</span>}
        </p>
        {line && <div className="self-center [grid-area:1/1] md:hidden">{line}</div>}
      </div>
      {human && (
        <HeroFace
          human={human}
          line={line || (spoken ? heroCopy.headline : human.describe)}
          onListen={() => listen(human)}
          sound={sound}
          speech={speech}
        />
      )}
      <Facts />
    </div>
  );
}

interface HeroFaceProps {
  human: Human;
  sound: SoundState;
  speech: Speech | undefined;
  /** The spoken caption, or a placeholder while nothing is spoken. */
  line: ReactNode;
  onListen(): void;
}

/** A small square beside the headline on phones, a panel with the caption on it elsewhere. All of it is one button. */
function HeroFace({ human, sound, speech, line, onListen }: HeroFaceProps) {
  const { colorMode } = useTheme();
  const isPlaying = sound === "playing";
  const words = { silent: heroCopy.listen, loading: humanCardCopy.loading, playing: humanCardCopy.pause };
  return (
    <div
      className={`relative col-start-2 row-start-1 grid aspect-square w-[min(5.5rem,25vw)] overflow-hidden rounded-card border bg-wash transition-colors md:row-span-2 md:aspect-[5/4] md:w-auto md:rounded-[20px] lg:col-start-1 lg:row-span-1 lg:row-start-3 lg:mt-6 lg:max-w-[27rem] ${isPlaying ? "border-celadon" : "border-line"}`}
    >
      <div className="min-h-0 overflow-hidden [grid-area:1/1]">
        <Picture
          colorMode={colorMode}
          human={human}
          isFirst
          isSpeaking={isPlaying && !wantsStillness()}
          speech={speech}
        />
      </div>
      <span className="m-3 hidden self-start justify-self-end rounded-full leading-none bg-surface [grid-area:1/1] md:block">
        <Badge>{siteCopy.aiBadge}</Badge>
      </span>
      <div className="m-1.5 flex items-center gap-3 self-end justify-self-end [grid-area:1/1] md:m-3 md:justify-self-stretch md:rounded-card md:bg-surface md:p-2 md:pr-4">
        <ListenButton
          className="covers shrink-0 bg-surface max-md:h-8 max-md:w-8"
          disabled={!human.voiceUrl}
          label={human.voiceUrl ? words[sound](human.name) : humanCardCopy.noPreview}
          onClick={onListen}
          sound={sound}
        />
        <div className="hidden min-w-0 flex-1 truncate font-song text-base md:block xl:text-lg">{line}</div>
      </div>
    </div>
  );
}

const Captions = lazyPart(
  async () => ({ default: (await import("~/features/tasks/say")).Captions }),
  ({ text }) => <p>{text}</p>,
);

const SpokenLine = ({ text, speech }: { text: string; speech: Speech | undefined }) => (
  <Suspense fallback={<p className="flex min-h-[44px] items-center">{heroCopy.headline}</p>}>
    <Captions speech={speech} text={text} />
  </Suspense>
);

/** A face that speaks its preview at a tap; `spoken` are the preview's words, shown as a film shows them. */
export function Speaker({ human, spoken }: { human: Human; spoken: string | null }) {
  const { listen, stateOf } = usePreviews();
  const { colorMode } = useTheme();
  const { sound, speech } = stateOf(human);
  return (
    <div className="relative grid min-w-0 flex-1 grid-rows-[minmax(0,1fr)]">
      <div className="min-h-0 min-w-0 [grid-area:1/1]">
        <Picture colorMode={colorMode} human={human} isSpeaking={sound === "playing"} speech={speech} />
      </div>
      {spoken && sound === "playing" && (
        <div className="mb-14 min-w-0 self-end bg-surface px-3 text-center [grid-area:1/1]">
          <SpokenLine speech={speech} text={spoken} />
        </div>
      )}
      <Listen
        className="m-2 self-end justify-self-end bg-surface [grid-area:1/1]"
        human={human}
        onListen={listen}
        sound={sound}
      />
    </div>
  );
}

function Facts() {
  const { isLabelled } = useCapabilities();
  const facts = isLabelled ? [...heroCopy.facts, heroCopy.labelFact] : heroCopy.facts;
  return (
    <ul className="mt-6 hidden gap-8 text-xs text-muted lg:flex">
      {facts.map(({ figure, meaning }) => (
        <li key={figure}>
          <b className="tabular block font-song text-2xl font-semibold text-ink">{figure}</b>
          {meaning}
        </li>
      ))}
    </ul>
  );
}
