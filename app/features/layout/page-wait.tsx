/** A thin stroke of the seal's colour on top of everything while another page is fetched; short waits go without. */
export function PageWait({ isWaiting }: { isWaiting: boolean }) {
  return (
    <div
      aria-hidden="true"
      className={`pointer-events-none fixed inset-x-0 top-0 z-30 h-0.5 transition-opacity ${isWaiting ? "opacity-100 delay-200" : "opacity-0"}`}
    >
      <div className="h-full animate-pulse bg-seal motion-reduce:animate-none" />
    </div>
  );
}
