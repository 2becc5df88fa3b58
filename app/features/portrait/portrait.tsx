import { memo, useEffect, useMemo, useState } from "react";
import { Worn } from "./accessories";
import { Hair } from "./hair";
import { AgeLines, Beard, Gaze, Head, Neck, Nose } from "./head";
import { Mouth, type Viseme } from "./mouth";
import { cloths, grounds, type PortraitParameters, paper, parsePortrait, randomPortrait } from "./parameters";

export interface FaceProps {
  human: { roleId: string; name: string; portrait?: unknown };
  isSpeaking?: boolean;
  /** The mouth while it speaks; simply open where nothing tells. */
  viseme?: Viseme | undefined;
}

/** The drawn portrait, alive: it blinks, and its mouth moves while it speaks. The first character of the name where there is none. */
export function Face({ human, isSpeaking = false, viseme = "aa" }: FaceProps) {
  const portrait = useMemo(() => parsePortrait(human.portrait), [human.portrait]);
  const blink = useBlink();
  if (portrait)
    return (
      <Portrait
        blink={blink}
        className="block h-full w-full"
        portrait={portrait}
        viseme={isSpeaking ? viseme : "sil"}
      />
    );
  return (
    <div aria-hidden="true" className="grid h-full w-full place-items-center bg-wash font-song text-3xl text-muted">
      {[...human.name][0] ?? ""}
    </div>
  );
}

/** How long the lids stay down. */
export const closedMs = 130;

/** People blink every two to six seconds, now and then twice in a row. `random` is 0 to 1. */
export function untilNextBlinkMs(random: () => number): number {
  const isDouble = random() < 0.12;
  return isDouble ? 160 + 80 * random() : 2000 + 4000 * random() ** 1.4;
}

/** Whether the lids are down just now; never for people who asked for less motion. */
export function useBlink(): boolean {
  const [isClosed, setClosed] = useState(false);
  useEffect(() => {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const inMs = isClosed ? closedMs : untilNextBlinkMs(Math.random);
    const timer = setTimeout(() => setClosed(!isClosed), inMs);
    return () => clearTimeout(timer);
  }, [isClosed]);
  return isClosed;
}

/** A drawn portrait in place of a picture that did not load; always the same one for the same person. */
export function StandIn({ human, ...rest }: FaceProps) {
  const portrait = useMemo(() => human.portrait ?? randomPortrait("unknown", seededBy(human.roleId)), [human]);
  return <Face human={{ ...human, portrait }} {...rest} />;
}

/** Numbers from 0 to below 1 that follow from a text: FNV-1a, then a linear congruence. */
function seededBy(text: string): () => number {
  let state = 2166136261;
  for (const char of text) state = Math.imul(state ^ (char.codePointAt(0) ?? 0), 16777619) >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

interface PortraitProps {
  portrait: PortraitParameters;
  viseme?: Viseme;
  blink?: boolean;
  /** What assistive technology calls it; without one it is decoration. */
  title?: string;
  className?: string;
}

/** The ground's one stroke: pressed at the shoulder, lifted past the crown. */
const brushedRing = "M16 133C4 74 42 20 100 17 132 15 158 30 173 53 154 36 130 26 101 27 54 29 19 74 16 133z";

/** A bust in ink and flat colour; drawn again only when something about it changes. Fills whatever box it is given, the bust standing on the lower edge. */
export const Portrait = memo(function Portrait(props: PortraitProps) {
  const { portrait, viseme = "sil", blink = false, title, className } = props;
  const small = portrait.face === "child" ? "matrix(.82 0 0 .9 18 20)" : undefined;
  return (
    <svg
      aria-hidden={title ? undefined : true}
      aria-label={title}
      className={className}
      preserveAspectRatio="xMidYMax meet"
      role={title ? "img" : undefined}
      viewBox="0 0 200 200"
    >
      <path d="M-300-300H500V500H-300z" fill={grounds[portrait.background]} />
      <path className="fill-wash" d="M-300-300H500V500H-300z" opacity=".56" />
      <circle cx="100" cy="104" fill="#fff" opacity=".2" r="86" />
      <path d={brushedRing} fill={grounds[portrait.background]} opacity=".75" />
      <Hair layer="back" portrait={portrait} />
      <Hair layer="behind" portrait={portrait} />
      <Neck portrait={portrait} />
      <g transform={small}>
        <Coat portrait={portrait} />
        <Worn layer="body" portrait={portrait} />
      </g>
      <Head portrait={portrait} />
      <AgeLines portrait={portrait} />
      <Nose portrait={portrait} />
      <Beard portrait={portrait} />
      <Mouth portrait={portrait} viseme={viseme} />
      <Gaze blink={blink} portrait={portrait} />
      <Worn layer="face" portrait={portrait} />
      <Hair layer="front" portrait={portrait} />
      <Worn layer="top" portrait={portrait} />
    </svg>
  );
});

const shoulders = "M12 202C14 168 38 156 72 148L100 170 128 148C162 156 186 168 188 202z";
const closed = "M12 202C14 168 38 156 72 148 80 156 120 156 128 148 162 156 186 168 188 202z";

function Coat({ portrait }: { portrait: PortraitParameters }) {
  const { base, shade } = cloths[portrait.coat];
  const isOpen = portrait.collar === "v" || portrait.collar === "suit" || portrait.collar === "crossed";
  return (
    <>
      <path d={isOpen ? shoulders : closed} fill={base} />
      <path d="M146 153C170 161 186 172 188 202H158C160 184 156 166 146 153z" fill={shade} />
      <path d="M44 202C43 191 40 183 36 177" fill="none" stroke={shade} strokeLinecap="round" strokeWidth="2.5" />
      <Collar portrait={portrait} />
    </>
  );
}

function Collar({ portrait }: { portrait: PortraitParameters }) {
  const { base, shade, trim } = cloths[portrait.coat];
  switch (portrait.collar) {
    case "crew":
      return (
        <path d="M71 149C79 160 121 160 129 149" fill="none" stroke={trim} strokeLinecap="round" strokeWidth="5" />
      );
    case "v":
      return <path d="M72 148L100 172 128 148" fill="none" stroke={trim} strokeLinejoin="round" strokeWidth="4.5" />;
    case "turtleneck":
      return (
        <>
          <path d="M81 131C88 138 112 138 119 131L125 151C116 160 84 160 75 151z" fill={base} />
          <path
            d="M79 143C88 150 112 150 121 143M76 152C86 161 114 161 124 152"
            fill="none"
            stroke={shade}
            strokeLinecap="round"
            strokeWidth="2.2"
          />
        </>
      );
    case "shirt":
      return (
        <>
          <path d="M82 138L100 158 84 172 70 148zM118 138L100 158 116 172 130 148z" fill={paper} />
          <path d="M100 160V202" fill="none" stroke={shade} strokeWidth="2" />
          <path d="M84 172L70 148M116 172L130 148" fill="none" stroke={trim} strokeWidth="1.5" />
        </>
      );
    case "suit":
      return (
        <>
          <path d="M74 147L100 162 126 147 100 196z" fill={paper} />
          <path d="M81 138L100 160 90 170 73 148zM119 138L100 160 110 170 127 148z" fill="#fff" />
          <path
            d="M73 146L100 196 98 202H92L66 174 72 168 60 162zM127 146L100 196 104 202H108L134 174 128 168 140 162z"
            fill={shade}
          />
          <path
            d="M73 146L60 162 72 168 66 174 94 202M127 146L140 162 128 168 134 174 108 202"
            fill="none"
            stroke={trim}
            strokeLinejoin="round"
            strokeWidth="1.4"
          />
        </>
      );
    case "mandarin":
      return (
        <>
          <path
            d="M80 134C85 142 93 146 98 147L98 160C88 158 78 154 73 148zM120 134C115 142 107 146 102 147L102 160C112 158 122 154 127 148z"
            fill={trim}
          />
          <path d="M100 158V202" fill="none" stroke={shade} strokeWidth="2.2" />
          <path d="M92 168h16M92 186h16" fill="none" stroke={trim} strokeLinecap="round" strokeWidth="3" />
        </>
      );
    case "crossed":
      return (
        <>
          <path d="M119 139L131 149 102 178 92 166z" fill={paper} />
          <path d="M81 139L69 149 118 202H140z" fill={paper} />
          <path d="M75 145L66 151 112 202H126z" fill={trim} />
        </>
      );
    case "hood":
      return (
        <>
          <path
            d="M80 136C62 140 56 150 60 160 78 166 92 168 100 174 108 168 122 166 140 160 144 150 138 140 120 136 124 150 108 158 100 160 92 158 76 150 80 136z"
            fill={shade}
          />
          <path d="M88 164V184M112 164V184" fill="none" stroke={trim} strokeLinecap="round" strokeWidth="2.6" />
        </>
      );
  }
}
