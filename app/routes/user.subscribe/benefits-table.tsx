import { subscribePageCopy } from "~/copy/pages";
import { Card } from "~/ui/card";
import { VisuallyHidden } from "~/ui/feedback";
import { Icon } from "~/ui/icons/icon";

function Cell({ value }: { value: string | boolean }) {
  if (typeof value === "string") return <span className="tabular">{value}</span>;
  return (
    <span className={value ? "text-celadon" : "text-muted"}>
      <Icon className="inline" name={value ? "check" : "close"} />
      <VisuallyHidden>{value ? subscribePageCopy.yes : subscribePageCopy.no}</VisuallyHidden>
    </span>
  );
}

const cell = "px-3 py-3.5 text-left align-top font-normal tight:break-all tight:px-1 md:px-6";

/** Compares the tiers. */
export function BenefitsTable() {
  return (
    <Card className="overflow-hidden">
      <table className="w-full border-collapse text-sm">
        <caption className="sr-only">{subscribePageCopy.caption}</caption>
        <thead>
          <tr className="border-b border-line bg-wash">
            <th className={`${cell} text-muted`} scope="col">
              {subscribePageCopy.benefit}
            </th>
            <th className={`${cell} whitespace-nowrap font-song tight:whitespace-normal`} scope="col">
              {subscribePageCopy.normal}
            </th>
            <th className={`${cell} whitespace-nowrap font-song tight:whitespace-normal text-gold`} scope="col">
              {subscribePageCopy.professional}
            </th>
          </tr>
        </thead>
        <tbody>
          {subscribePageCopy.rows.map((row) => (
            <tr className="border-b border-line last:border-0" key={row.benefit}>
              <th className={`${cell} text-muted`} scope="row">
                {row.benefit}
              </th>
              <td className={`${cell} whitespace-nowrap tight:whitespace-normal`}>
                <Cell value={row.normal} />
              </td>
              <td className={`${cell} whitespace-nowrap tight:whitespace-normal`}>
                <Cell value={row.professional} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  );
}
