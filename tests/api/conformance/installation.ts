import type { CallData } from "~server/contract/calls/table";
import { createClient, sendTo } from "./client";
import { type CheckResult, runConformance } from "./suite";

/** Runs the whole suite over the network as a visitor and as an account; the installation is in demo mode. */
export async function checkInstallation(base: string, phone: string): Promise<CheckResult[]> {
  const send = sendTo(base);
  const visitor = { appId: "shengxiang", token: "" };
  const client = createClient(send, visitor);
  const { demoCode = "" } = (await client.call("captcha", { phone })).data as CallData<"captcha">;
  const { token } = (await client.call("login", { phone, verifyCode: demoCode })).data as CallData<"login">;
  return [...(await runConformance(send, visitor)), ...(await runConformance(send, { ...visitor, token }))];
}
