import { redirectDocument } from "@remix-run/node";
import { paths } from "~/paths";

export const loader = () => redirectDocument(paths.clone);
