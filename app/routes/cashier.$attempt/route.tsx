import { type ActionFunctionArgs, data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { checkoutCopy } from "~/copy/checkout";
import { sentenceFor } from "~/copy/errors";
import { formatYuan } from "~/copy/format";
import { pageMeta } from "~/features/layout/page";
import { Button } from "~/ui/button";
import { Card } from "~/ui/card";
import { PostForm } from "~/ui/feedback";
import { parseCashierButton } from "~server/bff/checkout.server";
import { readForm } from "~server/bff/json-route.server";
import { toRefusal } from "~server/bff/refusal.server";

export { RouteError as ErrorBoundary } from "~/features/layout/page";

const copy = checkoutCopy.cashier;

export const handle = { layout: "fullscreen" };

export const meta: MetaFunction<typeof loader> = ({ matches }) => pageMeta(copy, matches);

/** The cashier of the sandbox gateway; 404 for other gateways and upstreams. */
export async function loader({ params, context: { upstream, siteName } }: LoaderFunctionArgs) {
  const payment = await upstream.call("cashier", { id: params.attempt ?? "" }).catch(() => {
    throw new Response(null, { status: 404 });
  });
  return { payment, merchant: siteName };
}

export async function action({ request, params, context: { upstream } }: ActionFunctionArgs) {
  const lever = parseCashierButton((await readForm(request))?.get("lever") ?? null);
  if (!lever) return data({ pulled: null, sentence: copy.refused }, { status: 400 });
  try {
    await upstream.call("cashierPull", { id: params.attempt ?? "", lever });
    return { pulled: lever, sentence: copy.after[lever] };
  } catch (error) {
    const refusal = toRefusal(error);
    return { pulled: null, sentence: refusal.code === "bad-request" ? copy.refused : sentenceFor(refusal) };
  }
}

export default function Cashier() {
  const { payment, merchant } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  const { subject, price, platform, state } = payment;
  const facts = [
    [copy.merchant, merchant],
    [copy.package, subject],
    [copy.method, checkoutCopy.methods[platform]],
  ];
  return (
    <Card className="w-full max-w-[440px] p-6 shadow-card md:p-8">
      <h1 className="font-song text-xl font-semibold">{copy.title}</h1>
      <p className="mt-1 text-xs text-muted">{copy.demo}</p>
      <p className="tabular mt-6 text-center font-song text-4xl font-semibold">{formatYuan(price)}</p>
      <p className={`mt-1 text-center text-sm ${state === "paid" ? "text-celadon" : "text-muted"}`}>
        {copy.state[state]}
      </p>
      <dl className="mt-6 grid gap-2 border-t border-dashed border-line pt-4 text-sm">
        {facts.map(([name, value]) => (
          <div className="flex justify-between gap-4" key={name}>
            <dt className="text-muted">{name}</dt>
            <dd className="text-right">{value}</dd>
          </div>
        ))}
      </dl>
      <p aria-live="polite" className="mt-4 min-h-[1.5rem] text-center text-sm">
        {result?.sentence}
      </p>
      {state === "open" && <Levers />}
    </Card>
  );
}

const others = ["fail", "late", "duplicate", "tamper", "double"] as const;

/** Simulated actions of payer, bank and gateway. */
function Levers() {
  return (
    <PostForm className="mt-3">
      <Button className="w-full" kind="primary" name="lever" size="large" type="submit" value="pay">
        {copy.levers.pay}
      </Button>
      <h2 className="mt-6 text-xs text-muted">{copy.more}</h2>
      <ul className="mt-2 grid gap-2">
        {others.map((lever) => (
          <li className="flex items-center gap-3" key={lever}>
            <Button
              aria-describedby={`hint-${lever}`}
              className="w-28 shrink-0"
              name="lever"
              type="submit"
              value={lever}
            >
              {copy.levers[lever]}
            </Button>
            <span className="text-xs text-muted" id={`hint-${lever}`}>
              {copy.hints[lever]}
            </span>
          </li>
        ))}
      </ul>
    </PostForm>
  );
}
