import { redirect } from "@remix-run/node";
import { accountCopy } from "~/copy/account";
import { paths } from "~/paths";
import { readUser, removeAccount } from "~server/bff/accounts.server";
import { jsonRoute, queryOf, readInput } from "~server/bff/json-route.server";
import { mediaResponse } from "~server/bff/media-file.server";

/** The account's state as `{user}`, null for visitors. `?export`: a zip of the account's data; visitors go to the login. */
export const loader = jsonRoute(async ({ request, context }) => {
  if (!queryOf(request).has("export")) return { user: await readUser(context) };
  const archive = await context.upstream.openArchive();
  return archive ? mediaResponse(archive, accountCopy.archive) : redirect(paths.login);
});

/** DELETE `{verifyCode}` deletes the account; answers its receipt. */
export const action = jsonRoute({
  DELETE: async ({ request, context }) => removeAccount(context, (await readInput(request)).verifyCode),
});
