import { data, type LoaderFunctionArgs } from "@remix-run/node";
import { Link, type MetaFunction, useLoaderData } from "@remix-run/react";
import { useRef, useState } from "react";
import { sentenceFor } from "~/copy/errors";
import { resultCopy } from "~/copy/generation";
import { trialCopy, trialResultCopy } from "~/copy/home";
import { sayCopy, personPageCopy as words } from "~/copy/share";
import { playerCopy } from "~/copy/site";
import { squareCopy } from "~/copy/square";
import { useAccount } from "~/features/account/provider";
import { failureMeta, pageMeta } from "~/features/layout/page";
import { toDownloads } from "~/features/player/downloads";
import { PagePlayer, usePagePlayer } from "~/features/player/page-player";
import { wantsStillness } from "~/features/player/use-previews";
import { Picture, toSquareHuman } from "~/features/portrait/picture";
import { PassOn } from "~/features/share/pass-on";
import { ShareButton } from "~/features/share/share-button";
import { Captions, SayField } from "~/features/tasks/say";
import { type Said, useSay } from "~/features/tasks/use-say";
import { useTheme } from "~/features/theme/theme";
import { notify } from "~/features/toasts/notify";
import { paths } from "~/paths";
import { askToBuy, askToLogIn, rememberAction, takeAction } from "~/state/dialog-requests";
import { buttonClass } from "~/ui/button";
import { Card, Tags } from "~/ui/card";
import { LiveRegion } from "~/ui/feedback";
import { readTrialCount } from "~server/bff/accounts.server";
import { drawQr } from "~server/bff/checkout.server";
import { throwIfLoginExpired, throwShown } from "~server/bff/json-route.server";
import { findSquareHuman } from "~server/bff/roles.server";
import { entitlementReasonOf } from "~server/contract/codes";

export { RouteError as ErrorBoundary } from "~/features/layout/page";

export async function loader({ params, context }: LoaderFunctionArgs) {
  const { upstream, session, siteName, siteUrl } = context;
  const trials = readTrialCount({ upstream, session });
  const human = await findSquareHuman(upstream, params.id ?? "").catch((error: unknown) => {
    throwIfLoginExpired(error, session, paths.loginExpired);
    return throwShown(error);
  });
  if (!human) throw data(null, { status: 404 });
  const shown = toSquareHuman(human);
  const card = shown.avatar ? paths.media(shown.avatar) : paths.portrait(shown.portrait, "light", "card");
  const qr = drawQr(siteUrl + paths.person(human.roleId));
  return { human: shown, trials: await trials, card, qr, siteName };
}

export const meta: MetaFunction<typeof loader> = ({ data: loaded, error, matches }) => {
  if (!loaded) return failureMeta(error, matches);
  const { name, describe } = loaded.human;
  const page = { title: words.title(name), description: words.description(name, describe) };
  const person = { "@context": "https://schema.org", "@type": "ProfilePage", name: page.title };
  return [
    ...pageMeta(page, matches),
    { "script:ld+json": { ...person, mainEntity: { "@type": "Person", name, description: describe } } },
  ];
};

/** A person of the square: portrait, one player, and what can be made with the voice. */
export default function PersonPage() {
  const { human, trials, qr, siteName } = useLoaderData<typeof loader>();
  const { colorMode } = useTheme();
  const { account } = useAccount();
  const { roleId, name, describe, tags, useNum, voiceUrl, timelineUrl, avatar, portrait } = human;
  const stage = useRef<HTMLDivElement>(null);
  const saying = useSaying(human, {
    trials,
    onSaid({ result }) {
      stage.current?.scrollIntoView({ block: "nearest", behavior: wantsStillness() ? "auto" : "smooth" });
      player.playInstead(toSound(result));
    },
  });
  const { said } = saying;
  const player = usePagePlayer(toSound(said?.result ?? { voiceUrl, timelineUrl }));
  return (
    <article className="mx-auto grid max-w-page grid-cols-[minmax(0,1fr)] gap-6 px-4 py-8 md:grid-cols-2 md:gap-12 md:px-6 md:py-12">
      <div className="grid scroll-mt-20 content-start gap-3" ref={stage}>
        <div className="aspect-[5/4] overflow-hidden rounded-card bg-wash">
          <Picture colorMode={colorMode} human={human} isFirst isSpeaking={player.isPlaying} speech={player.speech} />
        </div>
        <PagePlayer label={said ? sayCopy.said(name) : words.listen(name)} player={player}>
          {said && <SaidLine name={name} said={said} speech={player.speech} />}
        </PagePlayer>
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-4">
        <h1 className="font-song text-3xl font-semibold md:text-4xl" translate="no">
          {name}
        </h1>
        <p className="text-lg text-muted">{describe}</p>
        <Card className="grid gap-2 p-4">
          <SayField
            action={
              saying.isUsedUp
                ? trialCopy.usedUp[account.isLogin ? "member" : "visitor"]
                : saying.isSaid
                  ? sayCopy.again
                  : undefined
            }
            isPending={saying.isPending}
            name={name}
            onSay={saying.say}
            onText={saying.write}
            text={saying.text}
          />
          <LiveRegion>{saying.isPending ? trialCopy.working : said ? trialResultCopy.done : ""}</LiveRegion>
        </Card>
        <div className="mt-2 flex flex-wrap gap-3">
          <Link className={buttonClass({ kind: "primary", size: "large" })} to={paths.cloneWith(roleId)}>
            {words.clone}
          </Link>
          <Link className={buttonClass({ size: "large" })} to={paths.dubbingWith(roleId)}>
            {words.dub}
          </Link>
        </div>
        <Tags tags={tags} />
        <PassOn
          picture={avatar ? paths.media(avatar) : paths.portrait(portrait, "light")}
          qr={qr}
          siteName={siteName}
          text={describe}
          title={name}
        />
        {useNum ? <p className="tabular text-sm text-muted">{squareCopy.uses(useNum)}</p> : null}
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

const toSound = ({ voiceUrl, timelineUrl }: { voiceUrl: string; timelineUrl?: string | undefined }) => ({
  url: paths.media(voiceUrl),
  timelineUrl: timelineUrl && paths.media(timelineUrl),
});

interface SayingOptions {
  trials: { used: number; max: number };
  onSaid(said: Said): void;
}

/** Lets the person say what is written; a visitor without trials logs in first, and the sentence is said then. */
function useSaying({ roleId }: { roleId: string }, { trials, onSaid }: SayingOptions) {
  const { account } = useAccount();
  const [{ used, max }, setTrials] = useState(trials);
  const isUsedUp = used >= max && !account.isVip && !account.isSvip;
  const requireMore = () => (account.isLogin ? askToBuy({ packageType: "tier" }) : askToLogIn("trials-used"));
  const saying = useSay({
    roleId,
    onCounted: (now, most) => setTrials({ used: now, max: most }),
    onSaid,
    onRefused(refusal) {
      if (refusal.code === "login-expired") return rememberAction("trials-used");
      notify({ kind: "error", text: sentenceFor(refusal) });
      const reason = refusal.code === "entitlement" ? entitlementReasonOf(refusal.data) : null;
      if (reason === "trial") setTrials({ used: max, max });
      if (reason) requireMore();
    },
    onRestored(say) {
      if (takeAction() !== "trials-used") return;
      if (isUsedUp) requireMore();
      else say();
    },
  });
  return { ...saying, isUsedUp, say: isUsedUp ? requireMore : saying.say };
}

interface SaidLineProps {
  name: string;
  said: Said;
  speech: ReturnType<typeof usePagePlayer>["speech"];
}

/** The sentence that was said: read along, saved, shared. */
function SaidLine({ name, said: { text, result }, speech }: SaidLineProps) {
  const file = `${name}-${[...text.replace(/\s/g, "")].slice(0, 10).join("")}`;
  return (
    <>
      <Captions speech={speech} text={text} />
      <p className="-mb-1 flex flex-wrap gap-x-2">
        {toDownloads(result, (format) => `${file}.${format}`).map(({ format, url }) => (
          <a className={buttonClass({ kind: "quiet" })} download href={url} key={format}>
            {playerCopy.downloadAs(format.toUpperCase())}
          </a>
        ))}
        <ShareButton className={buttonClass({ kind: "quiet" })} id={result.taskId} kind="trial">
          {resultCopy.share}
        </ShareButton>
      </p>
    </>
  );
}
