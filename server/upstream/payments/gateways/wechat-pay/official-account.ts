import { createPrivateKey, randomBytes } from "node:crypto";
import { z } from "zod/v4";
import type { OfficialAccount, WechatPaySettings } from "../../../../settings/payments";
import { GatewayError, type PayerIdentity } from "../../gateway";
import { exchange, readJson, shaped, unknown, unusedTradeNumber } from "../exchange";
import { signText } from "../signatures";

const answerShape = z.object({ openid: z.string().min(1).optional(), errcode: z.number().optional() });

/** A code that is used, over or forged: 40029, 40163, 41008, 42003. */
const deadCodes = new Set([40029, 40163, 41008, 42003]);

/** OAuth of an official account, scope snsapi_base: WeChat tells the payer's openid without a question. */
export const createPayerIdentity = (settings: WechatPaySettings, official: OfficialAccount): PayerIdentity => ({
  authorizeUrl(returnTo, state) {
    const query = new URLSearchParams({
      appid: settings.appId,
      redirect_uri: returnTo,
      response_type: "code",
      scope: "snsapi_base",
      state,
    });
    return `${official.pageOrigin}/connect/oauth2/authorize?${query}#wechat_redirect`;
  },
  async identify(code, signal) {
    const { openid, errcode } = await askPayer(settings, official, { code, signal });
    if (openid) return openid;
    if (errcode !== undefined && deadCodes.has(errcode)) throw new GatewayError("refused", `code refused: ${errcode}`);
    throw unknown(`WeChat names no payer: ${errcode}`);
  },
});

/**
 * Whether the secret is right: a code that does not exist is refused after the secret was checked. Throws GatewayError for a
 * wrong account or secret.
 */
export async function examineSecret(settings: WechatPaySettings, signal?: AbortSignal): Promise<boolean> {
  const { official } = settings;
  if (!official) return false;
  const { errcode } = await askPayer(settings, official, { code: unusedTradeNumber, signal });
  if (errcode === 40125 || errcode === 40013 || errcode === 41004)
    throw new GatewayError("refused", `the official account's secret is refused: ${errcode}`);
  return errcode !== undefined && deadCodes.has(errcode);
}

async function askPayer(
  { appId }: WechatPaySettings,
  { apiOrigin, secret }: OfficialAccount,
  { code, signal }: { code: string; signal?: AbortSignal | undefined },
) {
  const query = new URLSearchParams({ appid: appId, secret, code, grant_type: "authorization_code" });
  const url = new URL(`${apiOrigin}/sns/oauth2/access_token?${query}`);
  const { status, body } = await exchange({ method: "GET", url, headers: { accept: "application/json" }, signal });
  if (status !== 200) throw unknown(`status ${status}`);
  return shaped(answerShape, readJson(body));
}

/**
 * The signed parameters of getBrandWCPayRequest, as a link: the site's page reads them from it and hands them to WeChat. They
 * name the trade and are no secret.
 */
export function bridgeLink(
  { appId, privateKey }: WechatPaySettings,
  { prepayId, at }: { prepayId: string; at: Date },
): string {
  const timeStamp = String(Math.floor(at.getTime() / 1000));
  const nonceStr = randomBytes(16).toString("hex");
  const prepay = `prepay_id=${prepayId}`;
  const paySign = signText(createPrivateKey(privateKey), `${appId}\n${timeStamp}\n${nonceStr}\n${prepay}\n`);
  const fields = { appId, timeStamp, nonceStr, package: prepay, signType: "RSA", paySign };
  return `weixin://jsapi?${new URLSearchParams(fields)}`;
}
