import { Link } from "@remix-run/react";
import { serviceCopy as words } from "~/copy/site";
import { paths } from "~/paths";
import { Dialog } from "~/ui/dialog";
import { ServedIcon } from "~/ui/icons/served-icon";

/** The contact panel: the operator's QR code and text. `lazy` requires a default export. */
export default function ContactPanel({ text, onClose }: { text: string | null; onClose(): void }) {
  return (
    <Dialog closeLabel={words.close} onClose={onClose} title={words.title}>
      <div className="mt-5 grid justify-items-center gap-4">
        <img
          alt={words.qr}
          className="h-44 w-44 rounded border border-line"
          height="176"
          src={paths.contactQr}
          width="176"
        />
        <p className="whitespace-pre-line text-center text-sm">{text ?? words.demo}</p>
        <Link
          className="inline-flex min-h-[44px] items-center gap-2 text-sm text-muted underline-offset-4 hover:text-ink hover:underline"
          onClick={onClose}
          to={paths.service}
        >
          <ServedIcon name="lucide:scroll-text" size={18} />
          {words.terms}
        </Link>
      </div>
    </Dialog>
  );
}
