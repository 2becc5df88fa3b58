import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { type MetaFunction, useActionData, useLoaderData, useRevalidator } from "@remix-run/react";
import { useCallback, useRef } from "react";
import { payElsewhereCopy } from "~/copy/account";
import { checkoutCopy } from "~/copy/checkout";
import { sentenceFor } from "~/copy/errors";
import { formatYuan } from "~/copy/format";
import { PayLink, type Payment, ScanCard } from "~/features/checkout/pay-code";
import { isWechatBrowser, OpenOutside } from "~/features/checkout/wechat";
import { pageMeta } from "~/features/layout/page";
import { paths } from "~/paths";
import { Button } from "~/ui/button";
import { Card } from "~/ui/card";
import { Fault, PostForm, usePolling } from "~/ui/feedback";
import { findHandedOver, openHandover, payHandedOver } from "~server/bff/checkout.server";
import { guessMobile } from "~server/bff/frame.server";
import { readForm, throwShown } from "~server/bff/json-route.server";
import { statusOf, toRefusal } from "~server/bff/refusal.server";
import { payMethodsShown } from "~server/contract/checkout";

export { RouteError as ErrorBoundary } from "~/features/layout/page";

const copy = payElsewhereCopy.handover;
const opened = paths.handedOver.split("/").at(-1);

export const handle = { layout: "fullscreen" };

export const headers = () => ({ "x-robots-tag": "noindex", "cache-control": "private, no-store" });

/** A link's address is a secret; the opened order's is not, and WeChat's payment page asks where a payer comes from. */
export const meta: MetaFunction = ({ matches, params }) => [
  ...pageMeta(copy, matches),
  { name: "robots", content: "noindex" },
  ...(params.token === opened ? [] : [{ name: "referrer", content: "same-origin" }]),
];

/** Reading a link does not use it up: previews and WeChat read it before the payer's browser. */
export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const device = {
    isPhone: guessMobile(request.headers),
    isInWechat: isWechatBrowser(request.headers.get("user-agent") ?? ""),
  };
  if (params.token !== opened) return data({ ...device, isLink: true, order: null });
  const order = await findHandedOver(context).catch(throwShown);
  return data({ ...device, isLink: false, order }, { status: order ? 200 : 404 });
}

export async function action({ params, request, context }: ActionFunctionArgs) {
  if (params.token === opened) {
    const platform = (await readForm(request))?.get("platform");
    const asked = { platform, isPhone: guessMobile(request.headers), pageUrl: request.url };
    try {
      return { payment: await payHandedOver(context, asked), fault: "", isMissing: false };
    } catch (error) {
      const refusal = toRefusal(error);
      const fault = refusal.code === "bad-request" ? checkoutCopy.noLink : sentenceFor(refusal);
      return data({ payment: null, fault, isMissing: false }, { status: statusOf(refusal) });
    }
  }
  if (await openHandover(context, params.token ?? "").catch(throwShown)) throw redirect(paths.handedOver);
  return data({ payment: null, fault: "", isMissing: true }, { status: 404 });
}

/** One order, paid and seen without a login. */
export default function HandedOver() {
  const { isLink, isInWechat, order } = useLoaderData<typeof loader>();
  const isMissing = useActionData<typeof action>()?.isMissing || (!isLink && !order);
  return (
    <Card className="w-full max-w-[440px] p-6 text-center shadow-card md:p-8">
      <h1 className="font-song text-xl font-semibold">{copy.title}</h1>
      {isMissing ? (
        <>
          <p className="mt-4">{copy.missing}</p>
          <p className="mt-2 text-sm text-muted">{copy.missingHint}</p>
        </>
      ) : isLink ? (
        <>
          <p className="mt-2 text-sm text-muted">{copy.until}</p>
          {isInWechat ? (
            <OpenOutside copyLabel={payElsewhereCopy.wechat.copyLink} />
          ) : (
            <PostForm className="mt-5">
              <Button className="w-full" kind="primary" size="large" type="submit">
                {copy.open}
              </Button>
            </PostForm>
          )}
        </>
      ) : (
        <OrderToPay />
      )}
    </Card>
  );
}

const pollEveryMs = 2000;
const pollsMax = 150;
const endings = { success: copy.paid, closed: copy.over, refunded: copy.refunded };

function OrderToPay() {
  const { order, isPhone } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const { revalidate } = useRevalidator();
  const polls = useRef(0);
  const look = useCallback(() => {
    polls.current += 1;
    if (polls.current <= pollsMax) revalidate();
  }, [revalidate]);
  const result = order?.status.result ?? "closed";
  usePolling(result === "waiting", look, pollEveryMs);
  if (!order) return null;
  const { name, price, status } = order;
  const payment: Payment | null = answer?.payment
    ? {
        ...answer.payment,
        ...{ price, note: status.note, isOver: false, problem: null, secondsLeft: null },
        onRefresh: () => window.location.reload(),
      }
    : null;
  return (
    <>
      <p className="mt-2 text-sm text-muted">{name}</p>
      <p className="tabular mt-4 font-song text-4xl font-semibold">{formatYuan(price)}</p>
      <p aria-live="polite" className={`mt-2 ${result === "success" ? "text-celadon" : "text-muted"}`}>
        {result === "waiting" ? copy.until : endings[result]}
      </p>
      {result === "waiting" && (
        <>
          {payment && (isPhone ? <PayLink {...payment} notify={() => {}} /> : <ScanCard {...payment} />)}
          <Fault className="mt-3 text-sm">{answer?.fault}</Fault>
          <PostForm className="mt-4 grid gap-2">
            {payMethodsShown(isPhone).map((platform) => (
              <Button key={platform} name="platform" size="large" type="submit" value={platform}>
                {checkoutCopy.methods[platform]}
              </Button>
            ))}
          </PostForm>
        </>
      )}
    </>
  );
}
