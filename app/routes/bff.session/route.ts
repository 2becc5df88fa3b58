import { logIn, logOut, readUser } from "~server/bff/accounts.server";
import { jsonRoute, readInput } from "~server/bff/json-route.server";
import type { CallInput } from "~server/bff/upstream.server";

/** POST `{phone, verifyCode}` logs in; answers `{user}`, null if only the account could not be read. DELETE logs out. */
export const action = jsonRoute({
  POST: async ({ request, context }) => {
    await logIn(context, (await readInput(request)) as CallInput<"login">);
    return { user: await readUser(context).catch(() => null) };
  },
  DELETE: async ({ context }) => {
    await logOut(context);
    return { user: null };
  },
});
