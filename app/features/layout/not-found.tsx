import { Link } from "@remix-run/react";
import { notFoundCopy } from "~/copy/errors";
import { paths } from "~/paths";
import { buttonClass } from "~/ui/button";
import { Message } from "./message";

export function NotFound() {
  return (
    <Message heading={notFoundCopy.heading} sentence={notFoundCopy.sentence}>
      <Link className={buttonClass({ kind: "primary" })} to={paths.home}>
        {notFoundCopy.home}
      </Link>
    </Message>
  );
}
