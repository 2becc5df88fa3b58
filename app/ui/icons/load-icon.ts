/** Specification section 9: then the next one is asked, which is our own. */
const serviceTimeoutMs = 1500;

/** The site's own endpoint, below its origin. */
const ownPath = "/icons";

/** The part of an Iconify answer that is read. */
interface IconSet {
  icons?: Record<string, { body?: string; width?: number; height?: number }>;
  width?: number;
  height?: number;
}

const images = new Map<string, Promise<string>>();

/** An icon as an address for `url()`, from the service, or from our own endpoint if that is late or fails. */
export function loadIcon(name: string, service: string | null): Promise<string> {
  const known = images.get(name);
  if (known) return known;
  const [set = "", icon = ""] = name.split(":");
  const ask = (origin: string) => askService(`${origin}/${set}.json?icons=${icon}`, icon);
  const own = () => ask(window.location.origin + ownPath);
  const image = service ? Promise.race([ask(service), rejectLate()]).catch(own) : own();
  images.set(name, image);
  image.catch(() => images.delete(name));
  return image;
}

async function askService(url: string, icon: string): Promise<string> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`the icon service answered ${answer.status}`);
  const { icons, width: setWidth = 16, height: setHeight = 16 }: IconSet = await answer.json();
  const { body, width = setWidth, height = setHeight } = icons?.[icon] ?? {};
  if (!body) throw new Error(`the icon service has no ${icon}`);
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}">${body}</svg>`;
  // Quotes and brackets too: the address is part of a style.
  return `data:image/svg+xml,${encodeURIComponent(drawing).replace(/['()]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)}`;
}

const rejectLate = () =>
  new Promise<never>((_resolve, reject) => setTimeout(() => reject(new Error("late")), serviceTimeoutMs));
