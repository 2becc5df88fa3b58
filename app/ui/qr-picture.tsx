interface QrPictureProps {
  /** The dark modules of `size` × `size` as one path. */
  qr: { size: number; path: string };
  label: string;
  className: string;
}

/** A QR code, dark on white in both colour modes: some cameras cannot read the inverse. */
export function QrPicture({ qr: { size, path }, label, className }: QrPictureProps) {
  return (
    <svg
      aria-label={label}
      className={`rounded ${className}`}
      role="img"
      shapeRendering="crispEdges"
      viewBox={`0 0 ${size} ${size}`}
    >
      <rect fill="#fff" height={size} width={size} />
      <path d={path} fill="#16181D" />
    </svg>
  );
}
