import { Link } from "@remix-run/react";
import { people } from "~/copy/home";
import { usePlayer } from "~/features/player/provider";
import type { Human } from "~/features/portrait/human-card";
import { paths } from "~/paths";
import { buttonClass } from "~/ui/button";
import { Icon } from "~/ui/icons/icon";
import { PersonCard } from "./person-card";
import { previewOf } from "./preview";

/** The home page's digital humans, each one tap from being heard. */
export function People({ humans }: { humans: readonly Human[] }) {
  const player = usePlayer();
  if (humans.length === 0)
    return <p className="rounded-card border border-line bg-surface p-6 text-muted">{people.empty}</p>;

  const soundOf = (human: Human) => {
    if (player.track?.url !== paths.media(human.voiceUrl)) return "silent";
    if (player.isLoading) return "loading";
    return player.isPlaying ? "playing" : "silent";
  };
  return (
    <>
      <ul className="grid grid-cols-2 gap-3 md:grid-cols-4 md:gap-4">
        {humans.map((human) => (
          <li key={human.roleId}>
            <PersonCard
              human={human}
              onListen={() => (soundOf(human) === "playing" ? player.toggle() : player.play(previewOf(human)))}
              sound={soundOf(human)}
            />
          </li>
        ))}
      </ul>
      <Link className={`${buttonClass()} mt-6`} to={paths.square}>
        {people.more}
        <Icon name="arrow" size={18} />
      </Link>
    </>
  );
}
