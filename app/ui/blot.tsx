/** A line of sound that breaks off: the picture of what is not there. */
export function Blot({ isSmall = false }: { isSmall?: boolean }) {
  const height = isSmall ? 32 : 56;
  return (
    <svg aria-hidden="true" fill="none" height={height} strokeLinecap="round" viewBox="0 0 224 56" width={height * 4}>
      <path
        d="M4 25v6M14 21v14M24 15v26M34 8v40M44 3v50M54 12v32M64 6v44M74 18v20M84 23v10"
        stroke="currentColor"
        strokeWidth="4"
      />
      <circle cx="108" cy="28" fill="var(--seal)" r="6" />
      <path d="M132 28h88" stroke="var(--edge)" strokeDasharray="0.1 10" strokeWidth="3" />
    </svg>
  );
}
