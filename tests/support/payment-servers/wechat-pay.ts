import { createCipheriv, createHash, randomBytes, verify } from "node:crypto";
import type { WechatPaySettings } from "~server/settings/payments";
import { type CertifiedPair, certify, createPair, type Pair, sign } from "./keys";
import { listen, type PaymentServer, type ReceivedRequest, type VendorResponse } from "./listen";

interface Trade {
  out: string;
  total: number;
  state: "NOTPAY" | "SUCCESS" | "CLOSED" | "REFUND";
  transaction: string;
  request: Record<string, unknown>;
}

interface Refund {
  out: string;
  number: string;
  fen: number;
  status: string;
}

export interface WechatPayServer extends PaymentServer {
  settings: WechatPaySettings;
  trades: Map<string, Trade>;
  refunds: Map<string, Refund>;
  merchant: Pair;
  publicKey: Pair & { id: string };
  certificates: CertifiedPair[];
  /** Key that signs answers and notifications. */
  signer: Pair & { serial: string };
  /** Payers refuse to be identified. */
  denies: boolean;
  /** Codes of OAuth that were not used, with their payer. */
  codes: Map<string, string>;
  /** Offset of the vendor's clock in seconds. */
  clock: number;
  /** Changes answers after they are signed. */
  forge: ((response: VendorResponse) => VendorResponse) | undefined;
  /** Initial state of new refunds. */
  refundStatus: "SUCCESS" | "PROCESSING";
  bill: string;
  billHash: string | undefined;
  newCertificate(serial: string, days?: number): Promise<CertifiedPair>;
  pay(out: string, change?: object): { headers: Record<string, string>; body: string };
  notify(event: string, resource: object): { headers: Record<string, string>; body: string };
}

const apiV3Key = "an APIv3 key of 32 characters :-)".slice(0, 32);
const merchantId = "1900000001";
const appId = "wxd678efh567hg6787";
const officialSecret = "0123456789abcdef0123456789abcdef";
const day = 86_400_000;

/** A server of APIv3 as documented by WeChat Pay, with its own keys. */
export async function openWechatPay(now: () => Date = () => new Date()): Promise<WechatPayServer> {
  const merchant = createPair();
  const publicKey = { ...createPair(), id: "PUB_KEY_ID_0119000000012024" };
  let state: WechatPayServer;
  const server = await listen((asked) => {
    const response = answer(state, asked);
    const signed = {
      ...response,
      headers: { ...signatureOf(state, now(), response.body.toString()), ...response.headers },
    };
    return state.forge?.(signed) ?? signed;
  });
  const newCertificate = async (serial: string, days = 5 * 365) => {
    const from = new Date(now().getTime() - 400 * day);
    return certify(createPair(), { serial, from, to: new Date(now().getTime() + days * day) });
  };
  const settings: WechatPaySettings = {
    merchantId,
    appId,
    serial: "5157F09EFDC096DE15EBE81A47057A7232F1B8E1",
    privateKey: merchant.privatePem,
    apiV3Key,
    publicKey: null,
    endpoint: server.origin,
    notifyUrl: "https://voice.example/api/v1/pay/notify/wechat",
    official: { secret: officialSecret, pageOrigin: server.origin, apiOrigin: server.origin },
  };
  const first = await newCertificate("2C5A6F9D0B1E4A7788990011223344556677AA01");
  // Shared object: a test's changes are visible to the server.
  state = Object.assign(server, {
    settings,
    trades: new Map(),
    refunds: new Map(),
    merchant,
    publicKey,
    certificates: [first],
    signer: first,
    denies: false,
    codes: new Map(),
    clock: 0,
    forge: undefined,
    refundStatus: "SUCCESS" as const,
    bill: "",
    billHash: undefined,
    newCertificate,
    notify: (event: string, resource: object) => notification(state, now(), { event, resource }),
    pay(out: string, change: object = {}) {
      const trade = state.trades.get(out);
      if (!trade) throw new Error(`no trade ${out}`);
      trade.state = "SUCCESS";
      trade.transaction ||= `42000000${randomBytes(8).toString("hex")}`;
      return notification(state, now(), {
        event: "TRANSACTION.SUCCESS",
        resource: { ...describe(trade, now()), ...change },
      });
    },
  });
  return state;
}

function signatureOf({ signer, clock }: WechatPayServer, now: Date, body: string) {
  const timestamp = String(Math.floor(now.getTime() / 1000) + clock);
  const nonce = randomBytes(16).toString("hex");
  return {
    "wechatpay-serial": signer.serial,
    "wechatpay-timestamp": timestamp,
    "wechatpay-nonce": nonce,
    "wechatpay-signature": sign(signer, `${timestamp}\n${nonce}\n${body}\n`),
  };
}

function seal(text: string, about: string) {
  const nonce = randomBytes(6).toString("hex");
  const cipher = createCipheriv("aes-256-gcm", apiV3Key, nonce).setAAD(Buffer.from(about));
  const bytes = Buffer.concat([cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return { algorithm: "AEAD_AES_256_GCM", ciphertext: bytes.toString("base64"), nonce, associated_data: about };
}

function notification(state: WechatPayServer, now: Date, { event, resource }: { event: string; resource: object }) {
  const body = JSON.stringify({
    id: randomBytes(16).toString("hex"),
    event_type: event,
    resource_type: "encrypt-resource",
    resource: { original_type: "transaction", ...seal(JSON.stringify(resource), "transaction") },
  });
  return { headers: { "content-type": "application/json", ...signatureOf(state, now, body) }, body };
}

const describe = ({ out, total, state, transaction }: Trade, now: Date) => ({
  appid: appId,
  mchid: merchantId,
  out_trade_no: out,
  trade_state: state,
  ...(transaction && { transaction_id: transaction, success_time: `${now.toISOString().slice(0, 19)}+00:00` }),
  amount: { total, payer_total: total, currency: "CNY", payer_currency: "CNY" },
});

const json = (value: unknown, status = 200): VendorResponse => ({ status, body: JSON.stringify(value) });
const no = (status: number, code: string) => json({ code, message: code }, status);

function isOurs({ merchant }: WechatPayServer, { method, target, headers, body }: ReceivedRequest): boolean {
  const fields = Object.fromEntries(
    [...(headers.authorization ?? "").matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
  );
  const text = `${method}\n${target}\n${fields.timestamp}\n${fields.nonce_str}\n${body}\n`;
  const isSigned = verify(
    "RSA-SHA256",
    Buffer.from(text),
    merchant.publicKey,
    Buffer.from(fields.signature ?? "", "base64"),
  );
  return isSigned && fields.mchid === merchantId && fields.serial_no === "5157F09EFDC096DE15EBE81A47057A7232F1B8E1";
}

function answer(state: WechatPayServer, asked: ReceivedRequest): VendorResponse {
  const { pathname, searchParams } = new URL(asked.target, "http://x");
  const open = openPages[pathname];
  if (open) return open(state, searchParams, asked.body);
  if (!isOurs(state, asked)) return no(401, "SIGN_ERROR");
  const body = asked.body ? JSON.parse(asked.body) : {};
  const named = /^\/v3\/pay\/transactions\/out-trade-no\/(\w+)(\/close)?$/.exec(pathname);
  const refund = /^\/v3\/refund\/domestic\/refunds\/(\w+)$/.exec(pathname);
  if (pathname === "/v3/certificates") return certificates(state);
  if (asked.method === "POST" && /^\/v3\/pay\/transactions\/(native|h5|jsapi)$/.test(pathname))
    return create(state, body, pathname);
  if (named?.[2]) return close(state, named[1] ?? "");
  if (named) return query(state, named[1] ?? "", searchParams.get("mchid"));
  if (pathname === "/v3/refund/domestic/refunds") return makeRefund(state, body);
  if (refund) return tellRefund(state.refunds.get(refund[1] ?? ""));
  if (pathname === "/v3/bill/tradebill") return announceBill(state, asked);
  if (pathname === "/v3/billdownload/file") return { status: 200, body: state.bill };
  return no(404, "RESOURCE_NOT_EXISTS");
}

/** The openid of the person whose WeChat the browser stands for. */
export const openid = "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o";

/** What WeChat's app and browsers may ask without the merchant's signature. */
const openPages: Record<string, (state: WechatPayServer, query: URLSearchParams, body: string) => VendorResponse> = {
  "/connect/oauth2/authorize": ({ codes, denies }, query) => {
    const back = new URL(query.get("redirect_uri") ?? "");
    const isAsked = query.get("appid") === appId && query.get("scope") === "snsapi_base";
    if (!isAsked || query.get("response_type") !== "code") return no(400, "INVALID_REQUEST");
    const code = randomBytes(12).toString("hex");
    if (!denies) {
      codes.set(code, openid);
      back.searchParams.set("code", code);
    }
    back.searchParams.set("state", query.get("state") ?? "");
    return { status: 302, headers: { location: back.href }, body: "" };
  },
  "/sns/oauth2/access_token": ({ codes }, query) => {
    if (query.get("appid") !== appId) return json({ errcode: 40013, errmsg: "invalid appid" });
    if (query.get("secret") !== officialSecret) return json({ errcode: 40125, errmsg: "invalid appsecret" });
    const code = query.get("code") ?? "";
    const payer = codes.get(code);
    codes.delete(code);
    return json(payer ? { access_token: "a", openid: payer } : { errcode: 40029, errmsg: "invalid code" });
  },
  /** getBrandWCPayRequest of WeChat's app, as the person presses "pay": the merchant's signature must be right. */
  "/app/pay": (state, _, body) => {
    const { appId: app, timeStamp, nonceStr, package: prepay, signType, paySign } = JSON.parse(body);
    const text = `${app}\n${timeStamp}\n${nonceStr}\n${prepay}\n`;
    const isSigned = verify("RSA-SHA256", Buffer.from(text), state.merchant.publicKey, Buffer.from(paySign, "base64"));
    const trade = state.trades.get(String(prepay).replace("prepay_id=wx", ""));
    const { payer } = (trade?.request ?? {}) as unknown as Request;
    const isHis = payer?.openid === openid && trade?.state === "NOTPAY";
    if (!isSigned || signType !== "RSA" || app !== appId || !trade || !isHis) return json({ err_msg: "fail" });
    state.pay(trade.out);
    return json({ err_msg: "ok" });
  },
};

const certificates = ({ certificates }: WechatPayServer): VendorResponse =>
  certificates.length === 0
    ? no(404, "RESOURCE_NOT_EXISTS")
    : json({
        data: certificates.map(({ serial, certificate }) => ({
          serial_no: serial,
          encrypt_certificate: seal(certificate, "certificate"),
        })),
      });

interface Request extends Record<string, unknown> {
  out_trade_no: string;
  amount: { total: number };
  notify_url: string;
  time_expire: string;
  payer?: { openid?: string };
}

function create({ trades, origin }: WechatPayServer, request: Request, pathname: string): VendorResponse {
  const { out_trade_no: out, notify_url, time_expire, scene_info } = request;
  const { total } = request.amount;
  const isWhole = notify_url.startsWith("https://") && /\+08:00$/.test(time_expire) && Number.isInteger(total);
  const isH5 = pathname.endsWith("h5");
  const isJsapi = pathname.endsWith("jsapi");
  if (!isWhole || (isH5 && !scene_info) || (isJsapi && !request.payer?.openid)) return no(400, "PARAM_ERROR");
  const known = trades.get(out);
  if (known?.state === "SUCCESS") return no(400, "ORDERPAID");
  if (known?.state === "CLOSED") return no(400, "ORDER_CLOSED");
  if (known && known.total !== total) return no(403, "OUT_TRADE_NO_USED");
  trades.set(out, known ?? { out, total, state: "NOTPAY", transaction: "", request });
  if (isJsapi) return json({ prepay_id: `wx${out}` });
  return json(
    isH5
      ? { h5_url: `${origin}/h5?no=${out}&package=${randomBytes(8).toString("hex")}` }
      : { code_url: `weixin://wxpay/bizpayurl?pr=${out}` },
  );
}

function query({ trades }: WechatPayServer, out: string, mchid: string | null): VendorResponse {
  const trade = trades.get(out);
  if (mchid !== merchantId) return no(400, "MCH_NOT_EXISTS");
  return trade ? json(describe(trade, new Date())) : no(404, "ORDER_NOT_EXIST");
}

function close({ trades }: WechatPayServer, out: string): VendorResponse {
  const trade = trades.get(out);
  if (!trade) return no(404, "ORDER_NOT_EXIST");
  if (trade.state === "SUCCESS") return no(400, "ORDERPAID");
  trade.state = "CLOSED";
  return { status: 204, body: "" };
}

function makeRefund(
  { trades, refunds, refundStatus }: WechatPayServer,
  body: Record<string, string & { refund: number }>,
): VendorResponse {
  const { out_trade_no: out = "", out_refund_no: number = "", amount } = body;
  const fen = amount?.refund ?? 0;
  const known = refunds.get(number);
  if (known) return known.fen === fen ? tellRefund(known) : no(400, "INVALID_REQUEST");
  const trade = trades.get(out);
  if (!trade?.transaction || fen > trade.total) return no(403, "NOT_ENOUGH");
  trade.state = "REFUND";
  refunds.set(number, { out, number, fen, status: refundStatus });
  return tellRefund(refunds.get(number));
}

const tellRefund = (refund: Refund | undefined): VendorResponse =>
  refund ? json({ out_refund_no: refund.number, status: refund.status }) : no(404, "RESOURCE_NOT_EXISTS");

function announceBill({ bill, billHash, origin }: WechatPayServer, { target }: ReceivedRequest): VendorResponse {
  if (bill === "") return no(400, "NO_STATEMENT_EXIST");
  const hash = billHash ?? createHash("sha1").update(bill).digest("hex");
  const url = `${origin}/v3/billdownload/file?token=${encodeURIComponent(target)}`;
  return json({ hash_type: "SHA1", hash_value: hash, download_url: url });
}
