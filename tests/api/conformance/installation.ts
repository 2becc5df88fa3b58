import { sendTo } from "./client";
import { type CheckResult, runConformance } from "./suite";

/** Runs the whole suite over the network as a visitor and as an account; the installation is in demo mode. */
export async function checkInstallation(base: string, phone: string): Promise<CheckResult[]> {
  const send = sendTo(base);
  const visitor = { base, appId: "shengxiang", token: "" };
  return [...(await runConformance(send, visitor)), ...(await runConformance(send, { ...visitor, phone }))];
}
