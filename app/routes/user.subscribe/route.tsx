import { Link, type MetaFunction } from "@remix-run/react";
import { needsAccount, subscribePage } from "~/copy/pages";
import { pageMeta } from "~/features/layout/page-meta";
import { paths } from "~/paths";
import { buttonClass } from "~/ui/button";
import { Card } from "~/ui/card";
import { Icon } from "~/ui/icons/icon";
import { VisuallyHidden } from "~/ui/visually-hidden";

export const meta: MetaFunction = ({ matches }) => pageMeta(subscribePage, matches);

function Cell({ value }: { value: string | boolean }) {
  if (typeof value === "string") return <span className="tabular">{value}</span>;
  return (
    <span className={value ? "text-celadon" : "text-muted"}>
      <Icon className="inline" name={value ? "check" : "close"} />
      <VisuallyHidden>{value ? subscribePage.yes : subscribePage.no}</VisuallyHidden>
    </span>
  );
}

const cell = "px-3 py-3.5 text-left align-top font-normal md:px-6";

export default function Subscribe() {
  return (
    <div className="mx-auto max-w-page px-4 py-10 md:px-6 md:py-16">
      <h1 className="font-song text-2xl font-semibold md:text-3xl">{subscribePage.heading}</h1>
      <p className="mt-3 max-w-[40em] text-muted">{subscribePage.sentence}</p>
      <Card className="mt-8 overflow-hidden">
        <table className="w-full border-collapse text-sm">
          <caption className="sr-only">{subscribePage.caption}</caption>
          <thead>
            <tr className="border-b border-line bg-wash">
              <th className={`${cell} text-muted`} scope="col">
                {subscribePage.benefit}
              </th>
              <th className={`${cell} font-song`} scope="col">
                {subscribePage.normal}
              </th>
              <th className={`${cell} font-song text-gold`} scope="col">
                {subscribePage.professional}
              </th>
            </tr>
          </thead>
          <tbody>
            {subscribePage.rows.map((row) => (
              <tr className="border-b border-line last:border-0" key={row.benefit}>
                <th className={`${cell} text-muted`} scope="row">
                  {row.benefit}
                </th>
                <td className={cell}>
                  <Cell value={row.normal} />
                </td>
                <td className={cell}>
                  <Cell value={row.professional} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Card>
      <p className="mt-4 text-sm text-muted">{subscribePage.pack}</p>
      <Link className={`${buttonClass({ kind: "primary" })} mt-8`} to={paths.trial}>
        {needsAccount.toTrial}
      </Link>
    </div>
  );
}
