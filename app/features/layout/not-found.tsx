import { Link } from "@remix-run/react";
import type { ReactNode } from "react";
import { notFoundCopy } from "~/copy/errors";
import { paths } from "~/paths";
import { buttonClass } from "~/ui/button";
import { Blot } from "~/ui/card";

/** A page that stands in for another one: a picture, what is the matter, and what to do. */
export function Message({ heading, sentence, children }: { heading: string; sentence: string; children: ReactNode }) {
  return (
    <div className="mx-auto flex max-w-page flex-col items-center px-4 py-16 text-center md:py-24">
      <Blot />
      <h1 className="mt-8 font-song text-2xl font-semibold md:text-3xl">{heading}</h1>
      <p className="mt-3 max-w-[28em] text-muted">{sentence}</p>
      <div className="mt-8 flex flex-wrap justify-center gap-3">{children}</div>
    </div>
  );
}

export function NotFound() {
  return (
    <Message heading={notFoundCopy.heading} sentence={notFoundCopy.sentence}>
      <Link className={buttonClass({ kind: "primary" })} to={paths.home}>
        {notFoundCopy.home}
      </Link>
    </Message>
  );
}
