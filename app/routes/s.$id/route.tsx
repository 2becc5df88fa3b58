import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from "@remix-run/node";
import { Link, type MetaFunction, useActionData, useFetcher, useLoaderData } from "@remix-run/react";
import { joinNames } from "~/copy/format";
import { headingOf, sharedPageCopy as words } from "~/copy/share";
import { siteCopy } from "~/copy/site";
import { reportCopy } from "~/copy/square";
import { failureMeta, pageMeta, siteNameOf } from "~/features/layout/page";
import { PagePlayer, usePagePlayer } from "~/features/player/page-player";
import { Picture } from "~/features/portrait/picture";
import { PassOn } from "~/features/share/pass-on";
import { useTheme } from "~/features/theme/theme";
import { paths } from "~/paths";
import { Badge, buttonClass } from "~/ui/button";
import { Blot } from "~/ui/icons/icon";
import { drawQr } from "~server/bff/checkout.server";
import { readForm, throwShown } from "~server/bff/json-route.server";
import { readShared, reportShare, type SharedWork } from "~server/bff/shares.server";
import { toPortraitCode } from "~server/portrait/parameters";

export { RouteError as ErrorBoundary } from "~/features/layout/page";

const hidden = { "x-robots-tag": "noindex" };

export const headers = ({ loaderHeaders }: { loaderHeaders: Headers }) => loaderHeaders;

export async function loader({ params, context: { upstream, siteUrl, siteName } }: LoaderFunctionArgs) {
  const { work, status } = await readShared(upstream, params.id ?? "").catch(throwShown);
  const init = { status, headers: work?.isListed ? {} : hidden };
  if (!work) return data({ work: null, isGone: status === 410, card: undefined, qr: null, siteName }, init);
  const shown = { ...work, portrait: toPortraitCode(work.portrait) };
  const qr = drawQr(siteUrl + paths.share(work.shareId));
  return data({ work: shown, isGone: false, card: paths.shareFile(work.shareId, "card.png"), qr, siteName }, init);
}

/** Reports the page; works without scripts. */
export async function action({ request, params, context: { upstream } }: ActionFunctionArgs) {
  const reason = String((await readForm(request))?.get("reason") ?? "");
  const isReported = await reportShare(upstream, params.id ?? "", reason).then(
    () => true,
    () => false,
  );
  return data({ isReported }, { status: isReported ? 200 : 400 });
}

export const meta: MetaFunction<typeof loader> = ({ data: loaded, error, matches }) => {
  if (!loaded) return failureMeta(error, matches);
  const title = loaded.work ? headingOf(loaded.work) : words[loaded.isGone ? "gone" : "missing"].heading;
  const page = { title: `${title} · ${siteNameOf(matches)}`, description: words.description(title) };
  return [...pageMeta(page, matches), ...(loaded.work?.isListed ? [] : [{ name: "robots", content: "noindex" }])];
};

export default function SharedPage() {
  const { work, isGone, qr, siteName } = useLoaderData<typeof loader>();
  if (!work) return <Absent {...words[isGone ? "gone" : "missing"]} />;
  const name = work.lines.find((line) => line.name !== "")?.name ?? "";
  const names = joinNames(work.lines.map((line) => line.name));
  const heading = headingOf(work);
  return (
    <div className="mx-auto grid max-w-[880px] gap-6 px-4 py-8 md:px-6 md:py-12">
      <article className="card grid gap-5 p-4 shadow-card md:grid-cols-[320px_minmax(0,1fr)] md:gap-8 md:p-6">
        {work.filmFormat ? (
          <Film address={paths.shareFile(work.shareId, `film.${work.filmFormat}`)} />
        ) : (
          <Sound name={name} work={work} />
        )}
        <div className="grid content-start gap-4">
          <p className="flex flex-wrap items-center gap-2">
            {names && <span className="text-muted">{names}</span>}
            {work.filmFormat && <Badge>{siteCopy.aiBadge}</Badge>}
          </p>
          <h1 className="sr-only">{heading}</h1>
          {work.title && <p className="font-song text-2xl font-semibold">{work.title}</p>}
          <Words lines={work.lines} />
          <div className="flex flex-wrap gap-3">
            <Link className={buttonClass({ kind: "primary" })} to={paths.trial}>
              {words.tryIt}
            </Link>
            {work.roleId && (
              <Link className={buttonClass()} to={paths.cloneWith(work.roleId)}>
                {words.use}
              </Link>
            )}
          </div>
          <PassOn
            picture={work.portrait && paths.portrait(work.portrait, "light")}
            qr={qr}
            siteName={siteName}
            text={work.lines.map(({ content }) => content).join("")}
            title={work.title || name || words.untitled}
          />
        </div>
      </article>
      <p className="text-sm text-muted">
        {work.filmFormat ? words.filmLabel : words.label}{" "}
        <Link className="whitespace-nowrap underline underline-offset-4 hover:text-ink" to={paths.verify}>
          {words.verify}
        </Link>
      </p>
      <Report />
    </div>
  );
}

type ShownWork = Pick<SharedWork, "shareId" | "roleId"> & { portrait: unknown };

/** The portrait that speaks, above its player. */
function Sound({ name, work: { shareId, roleId, portrait } }: { name: string; work: ShownWork }) {
  const { colorMode } = useTheme();
  const player = usePagePlayer({
    url: paths.shareFile(shareId, "sound.mp3"),
    timelineUrl: paths.shareFile(shareId, "timeline.json"),
  });
  // One's own recording has neither a face nor a name.
  const human = { roleId, name: roleId && name, describe: "", portrait, voiceUrl: "" };
  return (
    <div className="grid content-start gap-3">
      <div className="aspect-[5/4] overflow-hidden rounded-card bg-wash">
        <Picture colorMode={colorMode} human={human} isFirst isSpeaking={player.isPlaying} speech={player.speech} />
      </div>
      <PagePlayer label={words.sound} player={player} />
    </div>
  );
}

/** Plays without scripts. */
function Film({ address }: { address: string }) {
  return (
    <video
      aria-label={words.film}
      className="max-h-[70vh] w-full rounded-card bg-wash"
      controls
      playsInline
      preload="metadata"
      src={address}
    >
      <track kind="captions" />
    </video>
  );
}

function Words({ lines }: Pick<SharedWork, "lines">) {
  return (
    <div className="grid gap-2">
      {lines
        .map((line, number) => ({ ...line, number }))
        .map(({ name, content, number }) => (
          <p className="whitespace-pre-line break-words font-song text-lg md:text-xl" key={number}>
            {lines.length > 1 && name && <b className="font-semibold">{name}：</b>}
            {content}
          </p>
        ))}
    </div>
  );
}

function Report() {
  const fetcher = useFetcher<typeof action>();
  const posted = useActionData<typeof action>();
  const answer = fetcher.data ?? posted;
  if (answer?.isReported)
    return (
      <p className="text-sm text-celadon" role="status">
        {words.report.thanks}
      </p>
    );
  return (
    <details className="text-sm">
      <summary className="inline-flex min-h-[44px] cursor-pointer items-center text-muted underline underline-offset-4 hover:text-ink">
        {words.report.open}
      </summary>
      <fetcher.Form className="card mt-2 grid justify-items-start gap-1 p-4" method="post">
        <fieldset className="m-0 min-w-0 border-0 p-0">
          <legend className="font-semibold">{reportCopy.label}</legend>
          {reportCopy.reasons.map((reason, index) => (
            <label className="flex min-h-[44px] cursor-pointer items-center gap-3" key={reason}>
              <input className="h-5 w-5" defaultChecked={index === 0} name="reason" type="radio" value={reason} />
              {reason}
            </label>
          ))}
        </fieldset>
        {answer && (
          <p className="text-seal" role="alert">
            {words.report.failed}
          </p>
        )}
        <button className={buttonClass()} type="submit">
          {words.report.go}
        </button>
      </fetcher.Form>
    </details>
  );
}

function Absent({ heading, sentence }: { heading: string; sentence: string }) {
  return (
    <div className="mx-auto flex max-w-page flex-col items-center px-4 py-16 text-center md:py-24">
      <Blot />
      <h1 className="mt-8 font-song text-2xl font-semibold md:text-3xl">{heading}</h1>
      <p className="mt-3 max-w-[28em] text-muted">{sentence}</p>
      <Link className={`${buttonClass({ kind: "primary" })} mt-8`} to={paths.home}>
        {words.home}
      </Link>
    </div>
  );
}
