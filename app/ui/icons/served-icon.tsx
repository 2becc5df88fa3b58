import { type CSSProperties, useEffect, useRef, useState } from "react";

let service: string | null = null;

/** Origin of another service of Iconify's protocol; null: only our own endpoint. Said once, before any icon shows. */
export function setIconService(origin: string | null) {
  service = origin;
}

interface ServedIconProps {
  /** `set:name` in Iconify's words, e.g. lucide:headset. */
  name: `${string}:${string}`;
  size?: number;
  className?: string;
}

/**
 * A picture beside words from the icon service, fetched when it comes into sight. Its room is kept from the start, so
 * nothing moves when it arrives, or when it never does. Like every icon it needs words beside it.
 */
export function ServedIcon({ name, size = 20, className = "" }: ServedIconProps) {
  const box = useRef<HTMLSpanElement>(null);
  const [image, setImage] = useState<string | null>(null);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new IntersectionObserver((entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      observer.disconnect();
      import("./load-icon").then(({ loadIcon }) => loadIcon(name, service)).then(setImage, () => {});
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [name]);
  return (
    <span
      aria-hidden="true"
      data-icon={name}
      className={`inline-block shrink-0 ${image ? "masked" : ""} ${className}`}
      ref={box}
      style={{ width: size, height: size, ...(image && paintedThrough(image)) }}
    />
  );
}

/** The style class paints it. As a mask a foreign service's drawing can run no script. */
const paintedThrough = (image: string): CSSProperties => ({
  maskImage: `url("${image}")`,
  WebkitMaskImage: `url("${image}")`,
});
