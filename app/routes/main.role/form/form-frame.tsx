import { Link } from "@remix-run/react";
import type { FormEvent, ReactNode } from "react";
import { roleFormCopy, roleListCopy } from "~/copy/roles";
import { buttonClass } from "~/ui/button";
import { Card } from "~/ui/card";
import { ToolIcon } from "~/ui/icons/tool-icon";

interface FormFrameProps {
  heading: string;
  /** Where giving up leads. */
  back: string;
  backLabel?: string;
  onSubmit(): void;
  children: ReactNode;
}

/** A form as a page of its own. */
export function FormFrame({ heading, back, backLabel = roleListCopy.back, onSubmit, children }: FormFrameProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <div className="mx-auto max-w-[760px] px-4 py-6 md:px-6 md:py-10">
      <Link aria-label={backLabel} className={`-ml-4 ${buttonClass({ kind: "quiet" })}`} to={back}>
        <ToolIcon name="back" size={18} />
        {backLabel}
      </Link>
      <h1 className="mt-2 break-words font-song text-2xl font-semibold md:text-3xl">{heading}</h1>
      <Card className="mt-4 px-3.5 py-4 md:p-6">
        <form aria-label={roleFormCopy.heading} noValidate onSubmit={submit}>
          {children}
        </form>
      </Card>
    </div>
  );
}
