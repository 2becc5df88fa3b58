import type { LoaderFunctionArgs } from "@remix-run/node";
import { type MetaFunction, useLoaderData } from "@remix-run/react";
import { featuredRolesCopy, howItWorksCopy, tiersCopy } from "~/copy/home";
import { homeDescription, homeTitle } from "~/copy/site";
import { pageMeta, siteNameOf } from "~/features/layout/page-meta";
import { useOffer } from "~/offer";
import { paths } from "~/paths";
import { readUser } from "~server/bff/accounts.server";
import { throwIfLoginExpired } from "~server/bff/answering.server";
import { Hero } from "./hero";
import { How, Tiers } from "./how";
import { People } from "./people";
import { Section } from "./section";
import { TrialCard } from "./trial/trial-card";

export { RouteError as ErrorBoundary } from "~/features/layout/route-error";

export const meta: MetaFunction = ({ matches }) =>
  pageMeta({ title: homeTitle(siteNameOf(matches)), description: homeDescription }, matches);

const shownHumans = 8;

export async function loader({ context: { upstream, session } }: LoaderFunctionArgs) {
  const humans = await upstream.call("squareHome", { size: 12 }).catch((error: unknown) => {
    throwIfLoginExpired(error, session, paths.login);
    // The trial works without them.
    return [];
  });
  // The account's own count decides where there is an account; the root reports what goes wrong with it.
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
