import { squarePage } from "~/copy/square";
import { usePreviews } from "~/features/player/use-previews";
import type { Human } from "~/features/portrait/human";
import { HumanCard } from "~/features/portrait/human-card";
import { useTheme } from "~/features/theme/theme";

type TaggedHuman = Human & { tags: readonly string[] };

/** The square's cards; one tap plays a preview, another pauses it. */
export function HumanList({ humans, isPending }: { humans: readonly TaggedHuman[]; isPending: boolean }) {
  const { listen, stateOf } = usePreviews();
  const { colorMode } = useTheme();
  return (
    <ul
      aria-busy={isPending}
      aria-label={squarePage.results}
      className={`grid grid-cols-2 gap-3 transition-opacity md:grid-cols-3 md:gap-4 lg:grid-cols-4 ${isPending ? "opacity-60" : ""}`}
    >
      {humans.map((human) => (
        <li key={human.roleId}>
          <HumanCard colorMode={colorMode} human={human} onListen={listen} {...stateOf(human)}>
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
