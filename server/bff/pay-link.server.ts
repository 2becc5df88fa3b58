import { formGatewayDomains, type PayForm } from "../contract/checkout";

/** A QR code with at most 57 modules a side, which cameras read at the size the site shows. */
const scannedBytesMax = 213;

/**
 * Whether the payment apps' scanners take a link: the short ones do (`weixin://wxpay/bizpayurl…`, `wxp://…`,
 * `https://qr.alipay.com/…`, our own cashier). A signed page link is several hundred bytes long and is made for browsers.
 */
export const isScannable = (link: string): boolean => link !== "" && Buffer.byteLength(link) <= scannedBytesMax;

/** How a payer reaches the gateway's page: by a link, by a form, or not at all. */
interface PayTarget {
  /** "" without one. */
  payUrl: string;
  form: PayForm | null;
}

/** Reads the `url` of an order: a link, or the HTML of a form that opens the gateway's page when it is submitted. */
export function toPayTarget(url: string): PayTarget {
  const [formTag, attributes] = tagsIn(url, "form")[0] ?? [];
  if (!formTag || !attributes) return { payUrl: url.includes("<") ? "" : url, form: null };
  const action = attributes.get("action") ?? "";
  const fields = tagsIn(url.slice(url.indexOf(formTag)), "input").flatMap(([, input]) => toField(input));
  if (attributes.get("method")?.toLowerCase() === "post")
    return { payUrl: "", form: isGatewayAddress(action) ? { action, fields } : null };
  return { payUrl: toQueryLink(action, fields), form: null };
}

/** https addresses of the gateways that the pages' form-action allows. */
function isGatewayAddress(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === "https:" && formGatewayDomains.some((domain) => hostname.endsWith(`.${domain}`));
}

/** The link that a GET form opens; "" if its action is no web address. */
function toQueryLink(action: string, fields: PayForm["fields"]): string {
  if (!URL.canParse(action)) return "";
  const link = new URL(action);
  link.search = new URLSearchParams(fields.map(({ name, value }) => [name, value])).toString();
  return /^https?:$/.test(link.protocol) ? link.href : "";
}

const buttonTypes = ["submit", "button", "reset", "image"];

function toField(input: Map<string, string>): PayForm["fields"] {
  const name = input.get("name") ?? "";
  const isButton = buttonTypes.includes(input.get("type")?.toLowerCase() ?? "");
  return name === "" || isButton ? [] : [{ name, value: input.get("value") ?? "" }];
}

/** The start tags of one name with their decoded attributes. */
function tagsIn(html: string, name: "form" | "input"): Array<[tag: string, attributes: Map<string, string>]> {
  const tags = html.matchAll(new RegExp(`<${name}\\b((?:[^>"']|"[^"]*"|'[^']*')*)>`, "gi"));
  return [...tags].map(([tag, attributes = ""]) => [tag, readAttributes(attributes)]);
}

const readAttributes = (text: string): Map<string, string> =>
  new Map(
    [...text.matchAll(/([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/g)].map(
      ([, name = "", double, single, bare]) => [name.toLowerCase(), decodeEntities(double ?? single ?? bare ?? "")],
    ),
  );

const entities = new Map(Object.entries({ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" }));

const decodeEntities = (text: string): string =>
  text.replace(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w+));/gi, (entity, hex, decimal, name) => {
    if (name) return entities.get(name) ?? entity;
    const code = hex ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : entity;
  });
