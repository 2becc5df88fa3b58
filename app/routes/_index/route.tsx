import type { LoaderFunctionArgs } from "@remix-run/node";
import { Link, type MetaFunction, useLoaderData } from "@remix-run/react";
import { type ReactNode, useId } from "react";
import { featuredRolesCopy, howItWorksCopy, tiersCopy } from "~/copy/home";
import { homeDescription, homeTitle } from "~/copy/site";
import { pageMeta, siteNameOf } from "~/features/layout/page-meta";
import { usePreviews } from "~/features/player/use-previews";
import { HumanCard } from "~/features/portrait/human-card";
import type { Human } from "~/features/portrait/picture";
import { useTheme } from "~/features/theme/theme";
import { useOffer } from "~/offer";
import { paths } from "~/paths";
import { buttonClass } from "~/ui/button";
import { Card } from "~/ui/card";
import { Icon } from "~/ui/icons/icon";
import { readUser } from "~server/bff/accounts.server";
import { throwIfLoginExpired } from "~server/bff/answering.server";
import { Hero } from "./hero";
import { TrialCard } from "./trial/trial-card";

export { RouteError as ErrorBoundary } from "~/features/layout/route-error";

export const meta: MetaFunction = ({ matches }) =>
  pageMeta({ title: homeTitle(siteNameOf(matches)), description: homeDescription }, matches);

const shownHumans = 8;

export async function loader({ context: { upstream, session } }: LoaderFunctionArgs) {
  const humans = await upstream.call("squareHome", { size: 12 }).catch((error: unknown) => {
    throwIfLoginExpired(error, session, paths.login);
    // The trial works without public voices.
    return [];
  });
  // The account's count replaces the cookie's; the root loader reports its failure.
  const user = await readUser({ upstream, session }).catch(() => null);
  return { humans, trialsUsed: user?.tryNum ?? session.values.trialsUsed };
}

export default function Home() {
  const { humans, trialsUsed } = useLoaderData<typeof loader>();
  const { engine } = useOffer();
  return (
    <>
      <div className="mx-auto grid max-w-page grid-cols-[minmax(0,1fr)] gap-5 px-4 pb-8 pt-5 md:gap-10 md:px-6 md:pb-14 md:pt-12 lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)] lg:gap-14">
        <Hero />
        <TrialCard humans={humans} trialsUsed={trialsUsed} />
      </div>
      <Section heading={featuredRolesCopy.heading} sentence={featuredRolesCopy.sentence}>
        <People humans={humans.slice(0, shownHumans)} />
      </Section>
      {engine === "embedded" && (
        <Section heading={howItWorksCopy.heading}>
          <How />
        </Section>
      )}
      <Section heading={tiersCopy.heading} id="tiers" sentence={tiersCopy.sentence}>
        <Tiers />
      </Section>
    </>
  );
}

interface SectionProps {
  id?: string;
  heading: string;
  sentence?: string;
  children: ReactNode;
}

function Section({ id, heading, sentence, children }: SectionProps) {
  const headingId = useId();
  return (
    <section aria-labelledby={headingId} className="mx-auto max-w-page px-4 py-8 md:px-6 md:py-12" id={id}>
      <h2 className="font-song text-2xl font-semibold md:text-3xl" id={headingId}>
        {heading}
      </h2>
      {sentence && <p className="mt-1 text-muted">{sentence}</p>}
      <div className="mt-6">{children}</div>
    </section>
  );
}

function People({ humans }: { humans: readonly Human[] }) {
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

function How() {
  return (
    <ol className="grid gap-x-10 gap-y-6 md:grid-cols-3">
      {howItWorksCopy.steps.map(({ title, sentence }, index) => (
        <li className="grid grid-cols-[28px_1fr] gap-x-2 border-t border-line pt-5" key={title}>
          <span aria-hidden="true" className="font-song text-lg font-semibold text-seal">
            {howItWorksCopy.ordinals[index]}
          </span>
          <h3 className="font-song text-lg font-semibold">{title}</h3>
          <p className="col-start-2 mt-1 text-sm text-muted">{sentence}</p>
        </li>
      ))}
    </ol>
  );
}

function Tiers() {
  return (
    <>
      <ul className="grid gap-4 md:grid-cols-3">
        {tiersCopy.list.map(({ name, lines }, index) => (
          <li key={name}>
            <Card className="h-full p-5 md:p-6">
              <h3 className={`font-song text-xl font-semibold ${index === 2 ? "text-gold" : ""}`}>{name}</h3>
              <ul className="mt-4 grid gap-2.5 text-sm">
                {lines.map((line) => (
                  <li className="flex gap-2" key={line}>
                    <Icon className="mt-0.5 shrink-0 text-celadon" name="check" size={18} />
                    {line}
                  </li>
                ))}
              </ul>
            </Card>
          </li>
        ))}
      </ul>
      <Link className={`${buttonClass({ kind: "outline" })} mt-6`} to={paths.subscribe}>
        {tiersCopy.link}
        <Icon name="arrow" size={18} />
      </Link>
    </>
  );
}
