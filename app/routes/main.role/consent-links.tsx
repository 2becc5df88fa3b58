import { useRevalidator } from "@remix-run/react";
import { Suspense, useCallback, useEffect, useState } from "react";
import { bffPaths, call, callApi } from "~/call";
import { consentLinkStates, consentLinkCopy as words } from "~/copy/consent-link";
import { formatMoment } from "~/copy/format";
import { useHasCall } from "~/state/capabilities";
import { Button } from "~/ui/button";
import { usePolling } from "~/ui/feedback";
import { Icon } from "~/ui/icons/icon";
import { lazyDialog } from "~/ui/lazy-part";
import type { OwnedLink } from "~server/bff/consent-links.server";
import type { Role } from "~server/bff/roles.server";

const ConsentLinkDialog = lazyDialog(() => import("./consent-link-dialog"));

const rereadMs = 15_000;

/** The account's links, of one role or of all; read again while an answer is awaited and the page is looked at. */
function useConsentLinks(roleId?: string) {
  const [links, setLinks] = useState<OwnedLink[]>([]);
  const hasLinks = useHasCall("consentLinkList");
  const read = useCallback(async () => {
    const path = roleId ? bffPaths.consentLinksOf(roleId) : bffPaths.consentLinks;
    // The page works without them.
    const answer = await call<{ links: OwnedLink[] }>(path).catch(() => null);
    if (answer) setLinks(answer.links);
  }, [roleId]);
  useEffect(() => {
    if (hasLinks) void read();
  }, [hasLinks, read]);
  const isAwaited = links.some(({ state }) => state === "waiting" || state === "judging" || state === "review");
  usePolling(isAwaited, read, rereadMs);
  return { links, read };
}

/** Asks the person whose voice a role has for consent, and shows what they answered. */
export function ConsentNotice({ role }: { role: Role }) {
  const { revalidate } = useRevalidator();
  const { links, read } = useConsentLinks(role.roleId);
  const [isOpen, setOpen] = useState(false);
  const [link] = links;
  const given = link?.state === "given";
  const isStale = given && role.proof !== "proven" && role.proof !== "";
  useEffect(() => {
    // The state of the proof has changed with it.
    if (isStale) revalidate();
  }, [isStale, revalidate]);
  if (!useHasCall("consentLinkCreate") || role.status !== 2 || role.voicePath === "") return null;
  if (!link && (role.proof === "proven" || role.proof === "short")) return null;
  return (
    <section className="grid gap-3 rounded-card border border-line bg-surface p-4 md:p-5">
      <div className="grid gap-1">
        <h2 className="flex items-center gap-2 text-sm font-semibold">
          {given && <Icon className="text-celadon" name="check" size={18} />}
          <span>{link ? consentLinkStates[link.state] : words.heading}</span>
        </h2>
        <p className="tabular text-sm text-muted">{link ? detailOf(link) : words.hint}</p>
      </div>
      <Button className="justify-self-start" onClick={() => setOpen(true)}>
        {link?.address ? words.show : link ? words.again : words.open}
      </Button>
      <Suspense>
        {isOpen && (
          <ConsentLinkDialog
            known={link?.address ? link : null}
            onChange={read}
            onClose={() => setOpen(false)}
            roleId={role.roleId}
          />
        )}
      </Suspense>
    </section>
  );
}

const detailOf = ({ state, askerName, answeredAt, expiresAt }: OwnedLink) =>
  answeredAt
    ? words.answered(formatMoment(answeredAt))
    : state === "waiting"
      ? words.asked(askerName, formatMoment(expiresAt))
      : words.asAsked(askerName);

/** Notices about digital humans that are gone because the speaker withdrew consent. */
export function WithdrawnNotices() {
  const { links, read } = useConsentLinks();
  const dismiss = async (linkId: string) => {
    await callApi("consentLinkRemove", { linkId }).catch(() => null);
    await read();
  };
  const withdrawn = links.filter(({ state }) => state === "withdrawn");
  if (withdrawn.length === 0) return null;
  return (
    <ul className="mt-6 grid gap-3">
      {withdrawn.map(({ linkId, roleName, answeredAt }) => (
        <li
          className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded-card border border-line bg-surface px-4 py-3"
          key={linkId}
        >
          <Icon className="shrink-0 text-gold" name="alert" />
          <p className="min-w-[14em] flex-1 text-sm">{words.withdrawn(roleName, formatMoment(answeredAt))}</p>
          <Button onClick={() => void dismiss(linkId)}>{words.dismiss}</Button>
        </li>
      ))}
    </ul>
  );
}
