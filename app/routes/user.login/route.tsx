import { Link, type MetaFunction } from "@remix-run/react";
import { loginPage, needsAccount } from "~/copy/pages";
import { pageMeta } from "~/features/layout/page-meta";
import { paths } from "~/paths";
import { buttonClass } from "~/ui/button";
import { Card } from "~/ui/card";

export const handle = { layout: "fullscreen" };

export const meta: MetaFunction = ({ matches }) =>
  pageMeta({ title: loginPage.title, description: loginPage.noNeed }, matches);

export default function Login() {
  return (
    <Card className="w-full max-w-[440px] p-6 shadow-card md:p-8">
      <h1 className="font-song text-2xl font-semibold">{loginPage.heading}</h1>
      <p className="mt-4">{loginPage.sentence}</p>
      <p className="mt-2 text-muted">{loginPage.noNeed}</p>
      <div className="mt-6 grid gap-3">
        <Link className={buttonClass({ kind: "primary", size: "large" })} to={paths.trial}>
          {needsAccount.toTrial}
        </Link>
        <Link className={buttonClass({ kind: "quiet" })} to={paths.square}>
          {needsAccount.toSquare}
        </Link>
      </div>
    </Card>
  );
}
