import { Link } from "@remix-run/react";
import { featuredRolesCopy } from "~/copy/home";
import { usePreviews } from "~/features/player/use-previews";
import type { Human } from "~/features/portrait/human";
import { HumanCard } from "~/features/portrait/human-card";
import { useTheme } from "~/features/theme/theme";
import { paths } from "~/paths";
import { buttonClass } from "~/ui/button";
import { Icon } from "~/ui/icons/icon";

/** The home page's digital humans, each one tap from being heard. */
export function People({ humans }: { humans: readonly Human[] }) {
  const { listen, stateOf } = usePreviews();
  const { colorMode } = useTheme();
  if (humans.length === 0)
    return <p className="rounded-card border border-line bg-surface p-6 text-muted">{featuredRolesCopy.empty}</p>;
  return (
    <>
      <ul className="grid grid-cols-2 gap-3 tight:grid-cols-1 md:grid-cols-4 md:gap-4">
        {humans.map((human) => (
          <li key={human.roleId}>
            <HumanCard colorMode={colorMode} human={human} onListen={listen} {...stateOf(human)} />
          </li>
        ))}
      </ul>
      <Link className={`${buttonClass()} mt-6`} to={paths.square}>
        {featuredRolesCopy.more}
        <Icon name="arrow" size={18} />
      </Link>
    </>
  );
}
