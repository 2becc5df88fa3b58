import { Link } from "@remix-run/react";
import { buttonClass } from "./button";

interface NoticeProps {
  heading: string;
  sentence: string;
  action: string;
  to: string;
}

/** Stands where the list would: what happened, and the one thing to do about it. */
export function Notice({ heading, sentence, action, to }: NoticeProps) {
  return (
    <div className="rounded-card border border-line bg-surface px-6 py-12 text-center">
      <h2 className="font-song text-xl font-semibold">{heading}</h2>
      <p className="mt-2 text-muted">{sentence}</p>
      <Link className={`${buttonClass()} mt-6`} to={to}>
        {action}
      </Link>
    </div>
  );
}
