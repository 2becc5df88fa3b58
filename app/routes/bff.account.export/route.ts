import { type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { accountCopy } from "~/copy/account";
import { paths } from "~/paths";
import { mediaAnswer } from "~server/bff/media-answer.server";

/** Everything that belongs to the account, as a zip; whoever has none goes to the login. */
export async function loader({ context: { upstream } }: LoaderFunctionArgs) {
  const archive = await upstream.openArchive();
  return archive ? mediaAnswer(archive, accountCopy.archive) : redirect(paths.login);
}
