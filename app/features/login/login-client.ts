import { bffPaths } from "~/bff-paths";
import { call } from "~/call";

/** Sends a login code to the phone. `resend` in seconds; `demoCode` in demo mode only. Throws Refused. */
export const sendCode = (phone: string) =>
  call<{ sent: { resend: number; demoCode?: string } }>(bffPaths.codes, { body: { phone } });

/** Throws Refused. */
export const logIn = (phone: string, verifyCode: string) => call(bffPaths.session, { body: { phone, verifyCode } });
