import { addAPIProvider, Icon } from "@iconify/react";
import { iconPath, iconService } from "./icon-service";

/** Specification section 9: then the next one is asked, which is our own. */
const serviceTimeoutMs = 1500;

const remote = iconService();
const own = window.location.origin + iconPath;
addAPIProvider("", {
  resources: remote ? [remote, own] : [own],
  path: "/",
  index: 0,
  random: false,
  rotate: serviceTimeoutMs,
  timeout: serviceTimeoutMs * 3,
  dataAfterTimeout: false,
});

/** Draws an icon once its data is here. `lazy` wants a default export. */
export default function ServiceIcon({ name, size }: { name: string; size: number }) {
  return <Icon height={size} icon={name} width={size} />;
}
