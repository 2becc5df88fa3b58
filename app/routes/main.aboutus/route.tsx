import { redirect } from "@remix-run/node";
import { paths } from "~/paths";

export { RouteError as ErrorBoundary } from "~/features/layout/page";

/** The screen exists; the guard sends everybody home. */
export const loader = () => redirect(paths.home);
export default function AboutUs() {
  return null;
}
