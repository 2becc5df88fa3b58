import { z } from "zod/v4";
import { count, list, optional, url } from "./setting";

/** Settings of the frame around every page, chosen by the operator. */
export interface FrameSettings {
  /** Whom to ask; null hides the customer-service button and the links to it. */
  contact: ContactSettings | null;
  /** Who runs the site, and the number of its ICP filing, which the law wants at the foot of every page. */
  operator: { company: string | null; icpNumber: string | null };
  /** A notice across the top of every page. */
  banner: { text: string; link: string | null } | null;
  /** Interval at which an open page asks for a newer build. */
  buildCheckMs: number;
  /** Origin of another service that speaks Iconify's protocol; null: only our own. */
  iconServiceUrl: string | null;
  analytics: AnalyticsSettings;
}

export interface ContactSettings {
  /** Null: the copy's own words. */
  text: string | null;
  /** Content of the drawn QR code; "" for none. */
  qrText: string;
  /** A picture on the server's disk instead of a drawn code. */
  qrImage: string | null;
}

export interface AnalyticsSettings {
  baiduId: string | null;
  /** Baidu's numbers of the user tags for tier, expiry and phone, as its console gave them. */
  baiduTags: string[];
  gtagId: string | null;
  /** Phones go to the vendors whole; masked unless the operator has asked for it. */
  hasRawPhone: boolean;
}

/** Ids become part of a script's address, so they are held to the vendors' own alphabets. */
const id = (shape: RegExp) => optional.refine((value) => value === undefined || shape.test(value), "is no such id");

export const frameEnvironment = {
  SERVICE_TEXT: optional,
  SERVICE_QR_TEXT: optional,
  SERVICE_QR_IMAGE: optional,
  COMPANY_NAME: optional,
  ICP_NUMBER: optional,
  BANNER_TEXT: optional,
  BANNER_LINK: optional,
  BUILD_CHECK_SECONDS: count(300, { min: 1, max: 86_400 }),
  ICON_SERVICE_URL: url,
  ANALYTICS_BAIDU_ID: id(/^[0-9a-f]{32}$/),
  ANALYTICS_BAIDU_TAGS: id(/^\d+(\s*,\s*\d+){2}$/),
  ANALYTICS_GTAG_ID: id(/^[A-Z]{1,3}-[A-Z0-9-]{4,20}$/),
  ANALYTICS_RAW_PHONE: z.enum(["true", "false", ""]).default("false"),
};

type Texts = Exclude<keyof typeof frameEnvironment, "BUILD_CHECK_SECONDS">;
type Environment = { [name in Texts]?: string | undefined } & { BUILD_CHECK_SECONDS: number };

/** 京ICP备12345678号 or 京ICP备12345678号-1. */
const icpNumber = /^\p{Script=Han}ICP[备证]\d{6,10}号(-\d{1,3})?$/u;

export function frameFaults({ BANNER_LINK, ICON_SERVICE_URL, ICP_NUMBER }: Environment): string[] {
  const faults: string[] = [];
  if (ICP_NUMBER && !icpNumber.test(ICP_NUMBER))
    faults.push("ICP_NUMBER is no number of a filing, e.g. 京ICP备12345678号-1");
  if (BANNER_LINK && !/^(https:\/\/|\/(?!\/))/.test(BANNER_LINK)) {
    faults.push("BANNER_LINK is neither an https URL nor a path of this site");
  }
  if (ICON_SERVICE_URL && !/^https?:\/\//.test(ICON_SERVICE_URL)) faults.push("ICON_SERVICE_URL is not an http(s) URL");
  return faults;
}

/** Once there are no faults. In demo mode there is a contact to look at. */
export function frameOf(settings: Environment, mode: "demo" | "production"): FrameSettings {
  const { SERVICE_TEXT, SERVICE_QR_TEXT, SERVICE_QR_IMAGE, BANNER_TEXT, ICON_SERVICE_URL } = settings;
  const hasContact = mode === "demo" || SERVICE_TEXT || SERVICE_QR_TEXT || SERVICE_QR_IMAGE;
  return {
    contact: hasContact
      ? { text: SERVICE_TEXT ?? null, qrText: SERVICE_QR_TEXT ?? "", qrImage: SERVICE_QR_IMAGE ?? null }
      : null,
    operator: { company: settings.COMPANY_NAME ?? null, icpNumber: settings.ICP_NUMBER ?? null },
    banner: BANNER_TEXT ? { text: BANNER_TEXT, link: settings.BANNER_LINK ?? null } : null,
    buildCheckMs: settings.BUILD_CHECK_SECONDS * 1000,
    iconServiceUrl: ICON_SERVICE_URL ? new URL(ICON_SERVICE_URL).origin : null,
    analytics: {
      baiduId: settings.ANALYTICS_BAIDU_ID ?? null,
      baiduTags: list(settings.ANALYTICS_BAIDU_TAGS),
      gtagId: settings.ANALYTICS_GTAG_ID ?? null,
      hasRawPhone: settings.ANALYTICS_RAW_PHONE === "true",
    },
  };
}
