import { Link } from "@remix-run/react";
import { notFound } from "~/copy/errors";
import { paths } from "~/paths";
import { buttonClass } from "~/ui/button";
import { Message } from "./message";

export function NotFound() {
  return (
    <Message heading={notFound.heading} sentence={notFound.sentence}>
      <Link className={buttonClass({ kind: "primary" })} to={paths.home}>
        {notFound.home}
      </Link>
    </Message>
  );
}
