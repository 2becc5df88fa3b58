import { NavLink } from "@remix-run/react";
import { siteCopy, tabBarCopy } from "~/copy/site";
import { paths } from "~/paths";
import { Icon } from "~/ui/icons/icon";
import { destinations } from "./destinations";

/** The phone's navigation, under the thumb; hidden from 768 px up. */
export function TabBar() {
  return (
    <nav
      aria-label={siteCopy.tabNav}
      className="fixed inset-x-0 bottom-0 z-30 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      <ul className="grid grid-cols-5">
        {destinations.map(({ key, icon }) => (
          <li key={key}>
            <NavLink
              className="flex h-14 flex-col items-center justify-center gap-0.5 text-tab text-muted outline-offset-[-2px] aria-[current=page]:text-seal"
              end
              to={paths[key]}
            >
              <Icon name={icon} size={22} />
              {tabBarCopy[key]}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
