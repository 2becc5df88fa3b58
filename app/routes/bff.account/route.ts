import { redirect } from "@remix-run/node";
import { accountCopy } from "~/copy/account";
import { paths } from "~/paths";
import { readUser, removeAccount } from "~server/bff/accounts.server";
import { answering, queryOf, readInput } from "~server/bff/answering.server";
import { mediaResponse } from "~server/bff/media-file.server";

/** The account's state as `{user}`, null for visitors. `?export`: a zip of the account's data; visitors go to the login. */
export const loader = answering(async ({ request, context }) => {
  if (!queryOf(request).has("export")) return { user: await readUser(context) };
  const archive = await context.upstream.openArchive();
  return archive ? mediaResponse(archive, accountCopy.archive) : redirect(paths.login);
});

/** DELETE `{verifyCode}` deletes the account; answers `{receipt}`. */
export const action = answering({
  DELETE: async ({ request, context }) => ({
    receipt: await removeAccount(context, (await readInput(request)).verifyCode),
  }),
});
