import { NavLink } from "@remix-run/react";
import type { ReactNode } from "react";
import { navCopy, siteCopy } from "~/copy/site";
import { paths } from "~/paths";
import { Brand } from "./brand";
import { destinations } from "./destinations";

interface HeaderProps {
  siteName: string;
  /** Between the navigation and the account. */
  actions: ReactNode;
  /** The way in, or who is in. */
  account: ReactNode;
}

export function Header({ siteName, actions, account }: HeaderProps) {
  return (
    <header className="sticky top-0 z-20 border-b border-line bg-paper">
      <div className="mx-auto flex h-14 max-w-page items-center gap-3 px-4 tight:gap-1 tight:px-2 md:h-16 md:gap-6 md:px-6">
        <Brand siteName={siteName} />
        <nav aria-label={siteCopy.mainNav} className="hidden md:block">
          <ul className="flex gap-1">
            {destinations.map(({ key }) => (
              <li key={key}>
                <NavLink
                  className="flex min-h-[44px] items-center rounded-full px-3.5 text-sm text-muted transition-colors hover:text-ink aria-[current=page]:bg-wash aria-[current=page]:text-ink"
                  end
                  to={paths[key]}
                >
                  {navCopy[key]}
                </NavLink>
              </li>
            ))}
          </ul>
        </nav>
        <div className="ml-auto flex items-center gap-2">
          {actions}
          {account}
        </div>
      </div>
    </header>
  );
}
