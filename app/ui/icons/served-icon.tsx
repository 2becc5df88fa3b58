import { lazy, Suspense, useEffect, useRef, useState } from "react";

/** Without its drawer an icon is its empty room. */
const NoIcon = (_props: { name: string; size: number }) => <></>;
const Drawn = lazy(() => import("./iconify").catch(() => ({ default: NoIcon })));

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
  const [isSeen, setSeen] = useState(false);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) setSeen(true);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return (
    <span
      aria-hidden="true"
      data-icon={name}
      className={`inline-block shrink-0 ${className}`.trim()}
      ref={box}
      style={{ width: size, height: size }}
    >
      {isSeen && (
        <Suspense>
          <Drawn name={name} size={size} />
        </Suspense>
      )}
    </span>
  );
}
