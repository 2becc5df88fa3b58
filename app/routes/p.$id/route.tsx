import { data, type LoaderFunctionArgs } from "@remix-run/node";
import { Link, type MetaFunction, useLoaderData } from "@remix-run/react";
import { personPageCopy as words } from "~/copy/share";
import { siteCopy } from "~/copy/site";
import { squareCopy } from "~/copy/square";
import { pageMeta } from "~/features/layout/page";
import { Picture } from "~/features/portrait/picture";
import { toSquareHuman } from "~/features/portrait/shown-human";
import { SpeakingPortrait } from "~/features/share/speaking-portrait";
import { RoleTags } from "~/features/square/role-tags";
import { useTheme } from "~/features/theme/theme";
import { paths } from "~/paths";
import { Badge, buttonClass } from "~/ui/button";
import { throwIfLoginExpired } from "~server/bff/answering.server";
import { findSquareHuman } from "~server/bff/roles.server";

export { RouteError as ErrorBoundary } from "~/features/layout/page";

export async function loader({ params, context: { upstream, session } }: LoaderFunctionArgs) {
  const human = await findSquareHuman(upstream, params.id ?? "").catch((error: unknown) => {
    throwIfLoginExpired(error, session, paths.login);
    throw error;
  });
  if (!human) throw data(null, { status: 404 });
  return { human: toSquareHuman(human) };
}

export const meta: MetaFunction<typeof loader> = ({ data: loaded, matches }) => {
  if (!loaded) return [{ name: "robots", content: "noindex" }];
  const { name, describe } = loaded.human;
  const page = { title: words.title(name), description: words.description(name, describe) };
  const person = { "@context": "https://schema.org", "@type": "ProfilePage", name: page.title };
  return [
    ...pageMeta(page, matches),
    { "script:ld+json": { ...person, mainEntity: { "@type": "Person", name, description: describe } } },
  ];
};

/** A person of the square: portrait, preview, words, and what can be made with the voice. */
export default function PersonPage() {
  const { human } = useLoaderData<typeof loader>();
  const { colorMode } = useTheme();
  const { roleId, name, describe, tags, useNum, voiceUrl, timelineUrl } = human;
  return (
    <article className="mx-auto grid max-w-page gap-6 px-4 py-8 md:grid-cols-2 md:gap-12 md:px-6 md:py-12">
      <SpeakingPortrait
        label={words.listen(name)}
        picture={(isSpeaking, speech) => (
          <Picture colorMode={colorMode} human={human} isSpeaking={isSpeaking} speech={speech} />
        )}
        sound={paths.media(voiceUrl)}
        timeline={timelineUrl && paths.media(timelineUrl)}
      />
      <div className="grid content-start gap-4">
        <div className="flex items-center gap-3">
          <h1 className="font-song text-3xl font-semibold md:text-4xl">{name}</h1>
          <Badge>{siteCopy.aiBadge}</Badge>
        </div>
        <p className="text-lg text-muted">{describe}</p>
        <RoleTags tags={tags} />
        {useNum !== null && <p className="tabular text-sm text-muted">{squareCopy.uses(useNum)}</p>}
        <div className="mt-2 flex flex-wrap gap-3">
          <Link className={buttonClass({ kind: "primary", size: "large" })} to={paths.cloneWith(roleId)}>
            {words.clone}
          </Link>
          <Link className={buttonClass({ size: "large" })} to={paths.dubbingWith(roleId)}>
            {words.dub}
          </Link>
        </div>
        <Link
          className="inline-flex min-h-[44px] items-center text-sm text-muted underline underline-offset-4"
          to={paths.square}
        >
          {words.square}
        </Link>
      </div>
    </article>
  );
}
