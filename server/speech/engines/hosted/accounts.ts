import { createDashScopeApi, type DashScopeSettings } from "./dashscope-api";
import { findMiniMaxFailure, type MiniMaxSettings } from "./minimax";
import { isQwenModel } from "./qwen";
import { callVendor, VendorError } from "./vendor-call";

/** A vendor's report about the account of a key. */
export interface VendorAccount {
  message: string;
  /** Advice to the operator; absent if all is well. */
  todo?: string;
}

/** Voices that an account may hold at DashScope, and the number that leaves little room. */
const slots = { most: 1000, few: 900 };
/** Percent of a plan that leaves little room. */
const fewPercent = 10;
const balanceTodo = "top up the account at the vendor's console";
const todos: Record<string, string> = {
  InvalidApiKey: "is DASHSCOPE_API_KEY right, and of the region of DASHSCOPE_URL?",
  Arrearage: balanceTodo,
  "AccessDenied.Unpurchased": "activate Model Studio at the vendor's console",
  "Model.AccessDenied": "allow the key to use this model at the vendor's console",
  "AllocationQuota.FreeTierOnly": "the free quota is used up: turn off the free-tier limit at the vendor's console",
  1004: "is MINIMAX_API_KEY right, and of the region of MINIMAX_URL?",
  2049: "is MINIMAX_API_KEY right, and of the region of MINIMAX_URL?",
  1008: balanceTodo,
  2056: "the plan's quota is used up until its next window",
  2061: "the plan does not include MINIMAX_MODEL",
  2038: "verify the account at the vendor's console: it may not clone voices yet",
};

/** The key, and how many voices the account holds. A key cannot read the balance. */
export async function examineDashScope(settings: DashScopeSettings, signal: AbortSignal): Promise<VendorAccount> {
  const [family, action] = isQwenModel(settings.model)
    ? (["qwen-voice-enrollment", "list"] as const)
    : (["voice-enrollment", "list_voice"] as const);
  return accountOf("dashscope", async () => {
    const input = { action, page_index: 0, page_size: slots.most };
    const { voice_list: voices = [] } = await createDashScopeApi(settings).change(family, input, signal);
    const count = voices.length;
    const message = `dashscope: the key is right; ${count} of ${slots.most} voices; the balance is at its console only`;
    return count < slots.few ? { message } : { message, todo: "ask the vendor for more voices, or delete roles" };
  });
}

interface MiniMaxRemains {
  model_remains?: Array<{ model_name?: string; current_interval_remaining_percent?: number }> | null;
}

/** The key, the voices that were used, and what is left of a plan. An account that pays per use has none. */
export async function examineMiniMax({ url, apiKey }: MiniMaxSettings, signal: AbortSignal): Promise<VendorAccount> {
  const headers = { authorization: `Bearer ${apiKey}` };
  const ask = (path: string, body?: string) =>
    callVendor({ url: url + path, headers, ...(body && { body }) }, findMiniMaxFailure, signal);
  return accountOf("minimax", async () => {
    const { voice_cloning: used } = JSON.parse(
      await ask("/v1/get_voice", JSON.stringify({ voice_type: "voice_cloning" })),
    ) as { voice_cloning?: unknown[] | null };
    const plan = await ask("/v1/token_plan/remains").then(
      (text) => (JSON.parse(text) as MiniMaxRemains).model_remains ?? [],
      () => [],
    );
    const left = plan.flatMap(({ model_name = "", current_interval_remaining_percent: percent }) =>
      percent === undefined || !/speech|audio|tts/i.test(model_name) ? [] : [{ model_name, percent }],
    );
    const shown = left.map(({ model_name, percent }) => `${percent} % of ${model_name}`).join(", ");
    const message = `minimax: the key is right; ${used?.length ?? 0} voices in use; ${
      shown === "" ? "the balance is at its console only" : `${shown} left in the plan`
    }`;
    return left.every(({ percent }) => percent >= fewPercent) ? { message } : { message, todo: balanceTodo };
  });
}

async function accountOf(vendor: string, ask: () => Promise<VendorAccount>): Promise<VendorAccount> {
  try {
    return await ask();
  } catch (error) {
    const known = error instanceof VendorError ? todos[error.code] : undefined;
    const message = `${vendor}: ${error instanceof Error ? error.message : String(error)}`;
    return { message, todo: known ?? "does a firewall or proxy stand between, and is its address right?" };
  }
}
