import type { MetaFunction } from "@remix-run/react";
import { how, tiers } from "~/copy/home";
import { homeDescription, homeTitle } from "~/copy/site";
import { describe, siteNameOf } from "~/features/layout/page-meta";
import { Hero } from "./hero";
import { How, Tiers } from "./how";
import { Section } from "./section";

export const meta: MetaFunction = ({ matches }) =>
  describe({ title: homeTitle(siteNameOf(matches)), description: homeDescription });

export default function Home() {
  return (
    <>
      <div className="mx-auto grid max-w-page items-center gap-5 px-4 pb-8 pt-5 md:grid-cols-[minmax(0,5fr)_minmax(0,7fr)] md:gap-14 md:px-6 md:pb-16 md:pt-14">
        <Hero />
      </div>
      <Section heading={how.heading}>
        <How />
      </Section>
      <Section heading={tiers.heading} id="tiers" sentence={tiers.sentence}>
        <Tiers />
      </Section>
    </>
  );
}
