import { type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { jsonRoute, queryOf } from "~server/bff/json-route.server";
import { finishWechat, readWechatState, startWechat } from "~server/bff/wechat.server";

/** Sends the payer to WeChat, which leads back here with a `state`; then goes back to the page `?from=`. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const query = queryOf(request);
  if (query.has("state")) return redirect(await finishWechat(context, query));
  return redirect(await startWechat(context, { from: query.get("from"), siteUrl: context.siteUrl }));
}

/** POST answers whether this session can pay inside WeChat. */
export const action = jsonRoute({ POST: ({ context }) => readWechatState(context, context.siteUrl) });
