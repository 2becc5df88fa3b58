import type { LoaderFunctionArgs } from "@remix-run/node";
import { contactQrResponse } from "~server/bff/frame.server";

/** The QR code of whom to ask. */
export async function loader({ context: { frame, siteUrl, report } }: LoaderFunctionArgs) {
  if (!frame.contact) return new Response(null, { status: 404 });
  const code = await contactQrResponse(frame.contact, siteUrl);
  if (code) return code;
  report(new Error("SERVICE_QR_IMAGE is no picture that can be read"));
  return new Response(null, { status: 404 });
}
