/**
 * `npm run conformance -- --base URL [--token T] [--app-id ID]`: checks the contract against any upstream and prints
 * a table.
 */
import { parseArgs } from "node:util";
import { sendTo } from "./client";
import { runConformance } from "./suite";

const { values } = parseArgs({
  options: {
    base: { type: "string" },
    token: { type: "string", default: "" },
    "app-id": { type: "string", default: "shengxiang" },
  },
});
if (!values.base || !URL.canParse(values.base)) {
  console.error("Say where the upstream is: --base http://host:port (without /api/v1).");
  process.exit(2);
}

const base = values.base.replace(/\/+$/, "").replace(/\/api\/v1$/, "");
const outcomes = await runConformance(sendTo(base), { appId: values["app-id"], token: values.token });
const width = Math.max(...outcomes.map(({ route }) => route.length));
for (const { route, result, details } of outcomes)
  console.log(`${route.padEnd(width)}  ${result.padEnd(11)}  ${details.join(" · ")}`);

const count = (result: string) => outcomes.filter((outcome) => outcome.result === result).length;
const kinds = ["pass", "fail", "not offered", "not tried"];
console.log(`\n${kinds.map((kind) => `${count(kind)} ${kind}`).join(", ")}`);
process.exit(count("fail") > 0 ? 1 : 0);
