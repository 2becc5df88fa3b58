import { hairShapes } from "./hair-shapes";
import type { PortraitParameters } from "./parameters";
import { gold, hairs } from "./tones";

interface HairProps {
  portrait: PortraitParameters;
  layer: "back" | "behind" | "front";
}

export function Hair({ portrait, layer }: HairProps) {
  const shape = hairShapes[portrait.hair];
  const { base, sheen } = hairs[portrait.hairColor];
  return (
    <>
      {shape[layer] && <path d={shape[layer]} fill={base} />}
      {layer === "behind" && shape.pin && portrait.accessories.includes("hairpin") && (
        <path d={shape.pin} fill="none" stroke={gold} strokeLinecap="round" strokeWidth="3.5" />
      )}
      {layer === "front" && shape.sheen && (
        <path d={shape.sheen} fill="none" opacity=".8" stroke={sheen} strokeLinecap="round" strokeWidth="2" />
      )}
    </>
  );
}
