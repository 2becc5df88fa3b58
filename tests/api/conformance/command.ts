/** `npm run conformance -- --base URL …`: checks any upstream against the contract; exits with 1 if a "must" fails. */
import { parseArgs } from "node:util";
import { sendTo } from "./client";
import { formatReport, toReport } from "./report";
import { runConformance } from "./suite";

const usage = `npm run conformance -- --base http://host:port [options]

  --phone N --code N   an account to log in with; in demo mode the code is read from the answer
  --token T            or a token of one
  --pay-wait SECONDS   how long to wait for the payment of the order that is created (5)
  --app-id ID          the appid header (shengxiang)
  --json               the report as JSON

Use a test account: an order, a clone, a dub and a role are created, and the records are deleted again.`;

const options = {
  base: { type: "string" },
  phone: { type: "string" },
  code: { type: "string" },
  token: { type: "string", default: "" },
  "pay-wait": { type: "string", default: "5" },
  "app-id": { type: "string", default: "shengxiang" },
  json: { type: "boolean", default: false },
} as const;

function readOptions() {
  try {
    return parseArgs({ options }).values;
  } catch {
    return null;
  }
}

const values = readOptions();
if (!values?.base || !URL.canParse(values.base) || !(Number(values["pay-wait"]) >= 0)) {
  console.error(usage);
  process.exit(2);
}

const base = values.base.replace(/\/+$/, "").replace(/\/api\/v1$/, "");
const { phone, code, token } = values;
const payWaitMs = Number(values["pay-wait"]) * 1000;
const report = toReport(
  await runConformance(sendTo(base), { base, appId: values["app-id"], token, phone, code, payWaitMs }),
);
console.log(values.json ? JSON.stringify({ base, ...report }, null, 2) : formatReport(report));
process.exit(report.must.failed.length > 0 ? 1 : 0);
