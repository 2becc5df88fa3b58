import { type KeyboardEvent, type ReactNode, useId } from "react";

interface TabsProps<Value extends number | string> {
  label: string;
  value: Value;
  tabs: readonly { value: Value; label: ReactNode }[];
  onChange(value: Value): void;
  /** What the chosen tab shows. */
  children: ReactNode;
  className?: string;
}

const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1 };

/** A row of tabs over one panel; arrows go from tab to tab. */
export function Tabs<Value extends number | string>(props: TabsProps<Value>) {
  const { label, value, tabs, onChange, children, className = "" } = props;
  const id = useId();
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const step = steps[event.key];
    const at = tabs.findIndex((tab) => tab.value === value);
    const next = step && tabs[(at + step + tabs.length) % tabs.length];
    if (!next) return;
    event.preventDefault();
    onChange(next.value);
    document.getElementById(`${id}-${next.value}`)?.focus();
  };
  return (
    <>
      <div
        aria-label={label}
        className={`flex gap-1.5 ${className}`}
        onKeyDown={onKeyDown}
        role="tablist"
        tabIndex={-1}
      >
        {tabs.map((tab) => (
          <button
            aria-controls={tab.value === value ? `${id}-panel` : undefined}
            aria-selected={tab.value === value}
            className="min-h-[44px] whitespace-nowrap rounded-full px-3 text-sm text-muted transition-colors hover:text-ink aria-selected:bg-ink aria-selected:text-paper md:px-5"
            id={`${id}-${tab.value}`}
            key={tab.value}
            onClick={() => onChange(tab.value)}
            role="tab"
            tabIndex={tab.value === value ? 0 : -1}
            type="button"
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div aria-labelledby={`${id}-${value}`} id={`${id}-panel`} role="tabpanel">
        {children}
      </div>
    </>
  );
}
