import { Link, useLocation } from "@remix-run/react";
import { rolePageCopy } from "~/copy/pages";
import { roleVisitorCopy } from "~/copy/roles";
import { askToLogIn } from "~/dialog-requests";
import { LevelRing } from "~/features/player/level-ring";
import { usePreviews } from "~/features/player/use-previews";
import { HumanCard } from "~/features/portrait/picture";
import type { Human } from "~/features/portrait/still";
import { useTheme } from "~/features/theme/theme";
import { paths } from "~/paths";
import { buttonClass } from "~/ui/button";
import { Icon } from "~/ui/icons/icon";

/** The page for visitors: what a digital human is, samples and a login link. */
export function Visitor({ humans }: { humans: readonly Human[] }) {
  const { pathname, search } = useLocation();
  return (
    <div className="mx-auto max-w-page px-4 py-8 md:px-6 md:py-12">
      <h1 className="font-song text-2xl font-semibold md:text-3xl">{rolePageCopy.heading}</h1>
      <p className="mt-3 max-w-[42em] text-muted">{roleVisitorCopy.sentence}</p>
      <ul className="mt-5 grid gap-2.5">
        {roleVisitorCopy.points.map((point) => (
          <li className="flex gap-3" key={point}>
            <Icon className="mt-0.5 shrink-0 text-celadon" name="check" />
            {point}
          </li>
        ))}
      </ul>
      <div className="mt-6 flex flex-wrap gap-3">
        <Link
          className={buttonClass({ kind: "primary" })}
          onClick={(event) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
            event.preventDefault();
            askToLogIn("save-role");
          }}
          to={paths.loginFrom(pathname + search)}
        >
          {roleVisitorCopy.login}
        </Link>
        <Link className={buttonClass({ kind: "quiet" })} to={paths.square}>
          {roleVisitorCopy.toSquare}
        </Link>
      </div>
      {humans.length > 0 && <Samples humans={humans} />}
    </div>
  );
}

function Samples({ humans }: { humans: readonly Human[] }) {
  const { listen, stateOf } = usePreviews();
  const { colorMode } = useTheme();
  return (
    <>
      <h2 className="mt-10 font-song text-xl font-semibold">{roleVisitorCopy.samples}</h2>
      <ul className="mt-4 grid grid-cols-2 gap-3 tight:grid-cols-1 md:grid-cols-4 md:gap-4">
        {humans.map((human) => (
          <li key={human.roleId}>
            <HumanCard
              colorMode={colorMode}
              human={human}
              onListen={listen}
              ring={human.avatar && <LevelRing />}
              {...stateOf(human)}
            />
          </li>
        ))}
      </ul>
    </>
  );
}
