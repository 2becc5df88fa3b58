import { sendCode, sendDeletionCode } from "~server/bff/accounts.server";
import { jsonRoute, readInput } from "~server/bff/json-route.server";

/** POST `{phone}` sends a login code; `{}` sends the logged-in account the code for its deletion. Answers `{sent}`. */
export const action = jsonRoute({
  POST: async ({ request, context }) => {
    const { phone } = await readInput(request);
    return { sent: await (phone === undefined ? sendDeletionCode(context) : sendCode(context, phone)) };
  },
});
