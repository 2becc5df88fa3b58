import { type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/node";
import { Form, NavLink, Outlet, useLoaderData } from "@remix-run/react";
import { consoleCopy, consolePages, operationName } from "~/copy/console";
import { paths } from "~/paths";
import { Button } from "~/ui/button";
import { requireConsoleMe } from "~server/bff/console.server";

export { RouteError as ErrorBoundary } from "~/features/layout/page";

export const handle = { layout: "bare" };

export const meta: MetaFunction = () => [
  { title: consoleCopy.title },
  { name: "robots", content: "noindex, nofollow" },
];

/** Every page of the console needs a complete login; the first one is today's. */
export async function loader(args: LoaderFunctionArgs) {
  const me = await requireConsoleMe(args, paths.consoleLogin);
  if (new URL(args.request.url).pathname === paths.console) throw redirect(paths.consoleOperation("today"));
  return { me };
}

/** The operators' console: navigation and the page. */
export default function ConsoleLayout() {
  const { me } = useLoaderData<typeof loader>();
  const offered = new Set(me.operations.map(({ name }) => name));
  const pages = consolePages.filter((name) => offered.has(name));
  return (
    <div className="min-h-[100dvh]">
      <a
        className="sr-only rounded-full bg-ink text-paper focus:not-sr-only focus:fixed focus:left-4 focus:top-2 focus:z-50 focus:px-5 focus:py-3"
        href="#content"
      >
        {consoleCopy.skip}
      </a>
      <header className="border-b border-line px-4 py-3 md:px-6">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="font-song text-lg font-semibold">{consoleCopy.title}</p>
          <Form action={paths.consoleLogin} className="flex items-center gap-3" method="post">
            <span className="text-sm text-muted">
              {consoleCopy.loggedInAs(me.operator, consoleCopy.roles[me.role])}
            </span>
            <Button name="intent" type="submit" value="leave">
              {consoleCopy.logOut}
            </Button>
          </Form>
        </div>
        <nav aria-label={consoleCopy.nav} className="mt-2">
          <ul className="flex flex-wrap gap-x-4 gap-y-1">
            {pages.map((name) => (
              <li key={name}>
                <NavLink
                  className={({ isActive }) => `inline-block py-2 text-sm ${isActive ? "font-semibold underline" : ""}`}
                  end
                  to={paths.consoleOperation(name)}
                >
                  {operationName(name)}
                </NavLink>
              </li>
            ))}
          </ul>
        </nav>
      </header>
      <main className="mx-auto max-w-[90rem] px-4 py-6 md:px-6" id="content" tabIndex={-1}>
        <Outlet />
      </main>
    </div>
  );
}
