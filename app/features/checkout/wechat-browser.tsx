import { checkoutCopy } from "~/copy/checkout";
import { CopyButton } from "./copy-button";

/** Payment pages cannot be opened inside WeChat's own browser. */
export const isWechatBrowser = () => /MicroMessenger/i.test(navigator.userAgent);

/** How to go on in another browser, in the place of the payment link. */
export function OpenOutside() {
  const { title, steps, copy } = checkoutCopy.openOutside;
  return (
    <div className="mt-2.5 rounded-card border border-dashed border-edge p-3 text-sm">
      <p className="font-semibold">{title}</p>
      <ol className="mt-1.5 list-decimal pl-5 text-muted">
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <CopyButton className="mt-2 w-full" text={() => window.location.href}>
        {copy}
      </CopyButton>
    </div>
  );
}
