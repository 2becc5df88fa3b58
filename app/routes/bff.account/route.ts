import { redirect } from "@remix-run/node";
import { accountCopy } from "~/copy/account";
import { paths } from "~/paths";
import { changeAudibleMark, readAudibleMark, readUser, removeAccount } from "~server/bff/accounts.server";
import { jsonRoute, queryOf, readInput } from "~server/bff/json-route.server";
import { mediaResponse } from "~server/bff/media-file.server";

/**
 * The account's state as `{user}`, null for visitors. `?mark`: `{mark}`, the setting for the audible mark. `?export`: a zip
 * of the account's data; visitors go to the login.
 */
export const loader = jsonRoute(async ({ request, context }) => {
  const query = queryOf(request);
  if (query.has("mark")) return { mark: await readAudibleMark(context) };
  if (!query.has("export")) return { user: await readUser(context) };
  const archive = await context.upstream.openArchive();
  return archive ? mediaResponse(archive, accountCopy.archive) : redirect(paths.login);
});

/**
 * PATCH `{isWaived, sha256}` changes the setting for the audible mark; answers `{mark}`. DELETE `{verifyCode}` deletes the
 * account; answers `{receipt}`.
 */
export const action = jsonRoute({
  PATCH: async ({ request, context }) => ({ mark: await changeAudibleMark(context, await readInput(request)) }),
  DELETE: async ({ request, context }) => ({
    receipt: await removeAccount(context, (await readInput(request)).verifyCode),
  }),
});
