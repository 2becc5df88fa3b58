import { Link } from "@remix-run/react";
import type { FormEvent, ReactNode } from "react";
import { roleFormCopy, roleListCopy } from "~/copy/roles";
import { buttonClass } from "~/ui/button";
import { Card } from "~/ui/card";
import { Fault } from "~/ui/feedback";
import { ToolIcon } from "~/ui/icons/tool-icon";

interface FormFrameProps {
  heading: string;
  /** Target of the back link. */
  back: string;
  backLabel?: string;
  onSubmit(): void;
  children: ReactNode;
}

/** A form as a page, with a back link. */
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

interface FormPartProps {
  ordinal?: string | undefined;
  heading: string;
  hint?: string | undefined;
  fault?: string | undefined;
  children: ReactNode;
}

/** A numbered part of the form with its fault; without the number on phones. */
export function FormPart({ ordinal, heading, hint, fault, children }: FormPartProps) {
  return (
    <section className="flex gap-3.5 border-t border-dashed border-line py-5 first:border-t-0 first:pt-1">
      <span
        aria-hidden="true"
        className="hidden w-7 font-song text-lg font-semibold text-seal md:block md:empty:hidden"
      >
        {ordinal}
      </span>
      <div className="min-w-0 flex-1">
        <h2 className="font-semibold leading-7">{heading}</h2>
        {hint && <p className="text-xs text-muted">{hint}</p>}
        <div className="mt-3">{children}</div>
        <Fault className="mt-2 text-xs">{fault}</Fault>
      </div>
    </section>
  );
}
