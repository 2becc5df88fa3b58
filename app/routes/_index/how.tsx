import { Link } from "@remix-run/react";
import { howItWorksCopy, tiersCopy } from "~/copy/home";
import { paths } from "~/paths";
import { buttonClass } from "~/ui/button";
import { Card } from "~/ui/card";
import { Icon } from "~/ui/icons/icon";

export function How() {
  return (
    <ol className="grid gap-x-10 gap-y-6 md:grid-cols-3">
      {howItWorksCopy.steps.map(({ title, sentence }, index) => (
        <li className="grid grid-cols-[28px_1fr] gap-x-2 border-t border-line pt-5" key={title}>
          <span aria-hidden="true" className="font-song text-lg font-semibold text-seal">
            {howItWorksCopy.ordinals[index]}
          </span>
          <h3 className="font-song text-lg font-semibold">{title}</h3>
          <p className="col-start-2 mt-1 text-sm text-muted">{sentence}</p>
        </li>
      ))}
    </ol>
  );
}

export function Tiers() {
  return (
    <>
      <ul className="grid gap-4 md:grid-cols-3">
        {tiersCopy.list.map(({ name, lines }, index) => (
          <li key={name}>
            <Card className="h-full p-5 md:p-6">
              <h3 className={`font-song text-xl font-semibold ${index === 2 ? "text-gold" : ""}`}>{name}</h3>
              <ul className="mt-4 grid gap-2.5 text-sm">
                {lines.map((line) => (
                  <li className="flex gap-2" key={line}>
                    <Icon className="mt-0.5 shrink-0 text-celadon" name="check" size={18} />
                    {line}
                  </li>
                ))}
              </ul>
            </Card>
          </li>
        ))}
      </ul>
      <Link className={`${buttonClass({ kind: "outline" })} mt-6`} to={paths.subscribe}>
        {tiersCopy.link}
        <Icon name="arrow" size={18} />
      </Link>
    </>
  );
}
