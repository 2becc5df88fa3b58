import { redirect } from "@remix-run/node";
import { paths } from "~/paths";

export { RouteError as ErrorBoundary } from "~/features/layout/page";

/** Specified, and always redirected to the home page. */
export const loader = () => redirect(paths.home);
export default function AboutUs() {
  return null;
}
