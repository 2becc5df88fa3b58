import { humanCopy, squarePage } from "~/copy/square";
import { usePlayer } from "~/features/player/provider";
import { useViseme } from "~/features/player/use-viseme";
import { type Human, HumanCard } from "~/features/portrait/human-card";
import { paths } from "~/paths";

type TaggedHuman = Human & { tags: readonly string[] };

/** The square's cards; one tap plays a preview, another pauses it. */
export function HumanList({ humans, isPending }: { humans: readonly TaggedHuman[]; isPending: boolean }) {
  const player = usePlayer();
  const viseme = useViseme();
  const soundOf = (human: Human) => {
    if (player.track?.url !== paths.media(human.voiceUrl)) return "silent";
    if (player.isLoading) return "loading";
    return player.isPlaying ? "playing" : "silent";
  };
  const listen = (human: Human) => {
    if (soundOf(human) === "playing") return player.toggle();
    player.play({
      url: paths.media(human.voiceUrl),
      title: humanCopy.trackTitle(human.name),
      subtitle: human.describe,
      ...(human.timelineUrl && { timelineUrl: paths.media(human.timelineUrl) }),
    });
  };
  return (
    <ul
      aria-busy={isPending}
      aria-label={squarePage.results}
      className={`grid grid-cols-2 gap-3 transition-opacity md:grid-cols-3 md:gap-4 lg:grid-cols-4 ${isPending ? "opacity-60" : ""}`}
    >
      {humans.map((human) => (
        <li key={human.roleId}>
          <HumanCard human={human} onListen={listen} sound={soundOf(human)} viseme={viseme}>
            <Tags tags={human.tags} />
          </HumanCard>
        </li>
      ))}
    </ul>
  );
}

function Tags({ tags }: { tags: readonly string[] }) {
  return (
    <ul className="flex h-6 flex-wrap gap-1.5 overflow-hidden">
      {tags.map((tag) => (
        <li className="rounded-full bg-wash px-2 text-xs leading-6 text-muted" key={tag}>
          {tag}
        </li>
      ))}
    </ul>
  );
}
