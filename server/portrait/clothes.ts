import type { Detail } from "./face";
import type { Accessory, PortraitParameters } from "./parameters";
import { cloths, gold, ink, mixColors, paper, seal } from "./pigments";

const closed =
  "M12 204C13 178 34 168 64 161 74 158.5 80 156 83 151.500C92 158 108 158 117 151.5 120 156 126 158.5 136 161 166 168 187 178 188 204z";
const open =
  "M12 204C13 178 34 168 64 161 71 159.5 75 158 78 156L100 184 122 156C125 158 129 159.5 136 161 166 168 187 178 188 204z";

export function drawClothDefinitions({ coat }: PortraitParameters): string {
  const { base, shade, trim } = cloths[coat];
  return `<linearGradient id="pt-cloth" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="${mixColors(base, trim, 0.28)}"/><stop offset=".45" stop-color="${base}"/><stop offset="1" stop-color="${mixColors(shade, "#120A08", 0.16)}"/></linearGradient><linearGradient id="pt-lapel" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${mixColors(shade, base, 0.35)}"/><stop offset="1" stop-color="${shade}"/></linearGradient>`;
}

/** Shoulders, folds and collar. */
export function drawClothes(portrait: PortraitParameters, detail: Detail): string {
  const { shade, trim } = cloths[portrait.coat];
  const isOpen = portrait.collar === "v" || portrait.collar === "suit" || portrait.collar === "crossed";
  const fold = mixColors(shade, "#120A08", 0.35);
  const body = `<path d="${isOpen ? open : closed}" fill="url(#pt-cloth)"/>`;
  if (detail === "small") return body + drawCollar(portrait, detail);
  const folds = `<g fill="none" stroke-linecap="round"><path d="M42 204C42 190 45 180 53 173M158 204C159 190 155 180 147 173" stroke="${fold}" stroke-width="1.6" opacity=".6"/><path d="M74 170C79 182 81 192 81 204M127 172C122 183 120 193 120 204M60 178C64 186 66 194 66 204M141 180C138 187 136 195 136 204" stroke="${fold}" stroke-width=".9" opacity=".35"/><path d="M30 184C40 171 52 166 72 162" stroke="${trim}" stroke-width="1.6" opacity=".55"/><path d="M12 204C13 178 34 168 64 161M136 161C166 168 187 178 188 204" stroke="#1A1210" stroke-width=".8" opacity=".35"/></g>`;
  return body + folds + drawCollar(portrait, detail);
}

/** Short knitted ribs along a collar from x 70 to 130. */
function drawRibs(y: number, depth: number, color: string): string {
  const ribs = Array.from({ length: 13 }, (_, index) => {
    const share = (index - 6) / 6;
    const [x, top] = [100 + 26.5 * share, y - 7 * share * share];
    return `M${x.toFixed(1)} ${top.toFixed(1)}l${(3.4 * share).toFixed(1)} ${(depth - 1.8 * share * share).toFixed(1)}`;
  });
  return `<path d="${ribs.join("")}" fill="none" stroke="${color}" stroke-width=".8" stroke-linecap="round" opacity=".7"/>`;
}

type Collar = PortraitParameters["collar"];

interface CollarColors {
  base: string;
  shade: string;
  trim: string;
  fold: string;
}

const collars: Record<Collar, (colors: CollarColors, detail: Detail) => string> = {
  crew: ({ base, shade, trim, fold }, detail) =>
    `<path d="M75 155C84 168 116 168 125 155 128.5 157 131 158.5 132 161.5 121 178 79 178 68 161.5 69 158.5 71.5 157 75 155z" fill="${mixColors(base, shade, 0.35)}"/><path d="M75 155C84 168 116 168 125 155M69 162C80 177 120 177 131 162" fill="none" stroke="${fold}" stroke-width=".9" opacity=".6"/>${detail === "large" ? drawRibs(166, 6.5, trim) : ""}`,
  v: ({ trim, fold }) =>
    `<path d="M76 154L100 184 124 154 130 158.5 100 194 70 158.500z" fill="${trim}"/><path d="M76 154L100 184 124 154M70 158.500L100 194 130 158.5" fill="none" stroke="${fold}" stroke-width=".9" opacity=".5"/><path d="M100 194V204" stroke="${fold}" stroke-width="1" opacity=".4"/>`,
  turtleneck: ({ base, shade, trim, fold }, detail) =>
    `<path d="M80 139C88 147 112 147 120 139L127 162C117 173 83 173 73 162z" fill="${base}"/><path d="M104 145C112 144 117 142 120 139L127 162C120 169 112 171 104 171z" fill="${shade}" opacity=".6"/><path d="M80 139C88 147 112 147 120 139" fill="none" stroke="${mixColors(base, trim, 0.6)}" stroke-width="1.8" stroke-linecap="round"/><path d="M77 150C87 158 113 158 123 150M73 162C83 173 117 173 127 162" fill="none" stroke="${fold}" stroke-width="1" opacity=".55"/>${detail === "large" ? `<path d="M85 144l-4 21M90 146l-2.5 22M95 147l-1 22.500M100 147.500v22.500M105 147l1 22.500M110 146l2.5 22M115 144l4 21" stroke="${fold}" stroke-width=".7" opacity=".35"/>` : ""}`,
  shirt: ({ shade, trim, fold }, detail) =>
    `<path d="M82 147L100 169 84 184 69 158zM118 147L100 169 116 184 131 158z" fill="${paper}"/><path d="M82 147L100 169 84 184 69 158zM118 147L100 169 116 184 131 158z" fill="none" stroke="${mixColors(paper, "#6A5A44", 0.4)}" stroke-width=".9" stroke-linejoin="round"/><path d="M100 169V204" fill="none" stroke="${shade}" stroke-width="1.8"/>${detail === "large" ? `<path d="M84 150C80 160 80 172 84 184M116 150C120 160 120 172 116 184" fill="none" stroke="#8A7A60" stroke-width=".7" opacity=".5"/><circle cx="103" cy="182" r="1.4" fill="${trim}"/><circle cx="103" cy="196" r="1.4" fill="${trim}"/><path d="M97 172V204" stroke="${fold}" stroke-width=".7" opacity=".4"/>` : ""}`,
  suit: ({ trim, fold }, detail) =>
    `<path d="M74 157L100 174 126 157 112 204H88z" fill="${paper}"/><path d="M81 147L100 170 89 180 72 158zM119 147L100 170 111 180 128 158z" fill="#fff" stroke="#B9AD98" stroke-width=".8" stroke-linejoin="round"/><path d="M97 173h6l2.5 5-3.5 26h-4l-3.5-26z" fill="#B4321C"/><path d="M97 173h6l2.5 5-5.5 3-5.5-3z" fill="#8E2413"/><path d="M72 156L97 204H88L62 184 69 177 56 171zM128 156L103 204H112L138 184 131 177 144 171z" fill="url(#pt-lapel)"/><path d="M72 156L56 171 69 177 62 184 89 204M128 156L144 171 131 177 138 184 111 204" fill="none" stroke="${trim}" stroke-linejoin="round" stroke-width="1.1"/>${detail === "large" ? `<path d="M72 156L97 204M128 156L103 204" stroke="${fold}" stroke-width="1" opacity=".7"/><path d="M146 192l14-2.500v3l-14 2.500z" fill="#FBF6EC"/>` : ""}`,
  mandarin: ({ shade, trim, fold, base }, detail) =>
    `<path d="M80 143C85 151 93 156 98.5 157L98 171C88 168 78 164 72 158zM120 143C115 151 107 156 101.5 157L102 171C112 168 122 164 128 158z" fill="${mixColors(base, trim, 0.45)}" stroke="${fold}" stroke-width=".8"/><path d="M100 168V204" fill="none" stroke="${shade}" stroke-width="1.8"/><g fill="none" stroke="${trim}" stroke-linecap="round" stroke-width="2"><path d="M92 177h16M92 194h16"/></g>${detail === "large" ? `<g fill="${trim}"><circle cx="100" cy="177" r="2.4"/><circle cx="100" cy="194" r="2.4"/><circle cx="90.5" cy="177" r="1.6"/><circle cx="109.5" cy="177" r="1.6"/><circle cx="90.5" cy="194" r="1.6"/><circle cx="109.5" cy="194" r="1.6"/></g><path d="M80 143C85 151 93 156 98.5 157M120 143C115 151 107 156 101.5 157" fill="none" stroke="${trim}" stroke-width="1.2"/>` : ""}`,
  crossed: ({ trim, shade, fold }, detail) =>
    `<path d="M120 148L132 159 102 190 90 177z" fill="${paper}"/><path d="M80 148L67 160 120 204H144z" fill="${paper}"/><path d="M74 155L64 162 112 204H128z" fill="${trim}"/><path d="M126 154L135 161 112 184 106 178z" fill="${mixColors(trim, shade, 0.4)}"/>${detail === "large" ? `<path d="M80 148L144 204M67 160L120 204" stroke="${fold}" stroke-width=".8" opacity=".45"/><path d="M70 159L120 204" stroke="${mixColors(trim, "#FFFFFF", 0.4)}" stroke-width=".7" opacity=".7" stroke-dasharray="2 2"/>` : ""}`,
  hood: ({ shade, trim, base, fold }, detail) =>
    `<path d="M80 145C60 149 52 160 56 171 76 178 92 180 100 187 108 180 124 178 144 171 148 160 140 149 120 145 125 160 109 170 100 172 91 170 75 160 80 145z" fill="${mixColors(shade, base, 0.3)}"/><path d="M80 145C75 160 91 170 100 172 109 170 125 160 120 145" fill="none" stroke="${fold}" stroke-width="1.2" opacity=".7"/><path d="M90 178V196M110 178V196" fill="none" stroke="${trim}" stroke-linecap="round" stroke-width="2.2"/>${detail === "large" ? `<path d="M62 160C70 168 82 172 94 180M138 160C130 168 118 172 106 180" fill="none" stroke="${fold}" stroke-width=".9" opacity=".45"/><path d="M90 196v4M110 196v4" stroke="${trim}" stroke-width="3"/>` : ""}`,
};

function drawCollar({ collar, coat }: PortraitParameters, detail: Detail): string {
  const { base, shade, trim } = cloths[coat];
  return collars[collar]({ base, shade, trim, fold: mixColors(shade, "#120A08", 0.45) }, detail);
}

type AccessoryLayer = "body" | "face" | "top";

/** The outlines were drawn on a shorter head; see hair.ts. */
const headFit = "matrix(1.05 0 0 1.165 -5 -5.5)";
const coatFit = "translate(0 10)";

const accessoryDrawings: Record<Accessory, Partial<Record<AccessoryLayer, string>>> = {
  "glasses-round": {
    face: `<g fill="#fff" fill-opacity=".1" stroke="${ink}" stroke-width="1.7"><circle cx="81.5" cy="104" r="14.2"/><circle cx="118.5" cy="104" r="14.2"/><path d="M95.5 101.500c3-2 6-2 9 0M67.5 101l-5-1.500M132.5 101l5-1.5" fill="none"/></g><path d="M73 97c2-3 5-5 8-5.500M110 97c2-3 5-5 8-5.5" fill="none" stroke="#fff" stroke-width="1.2" stroke-linecap="round" opacity=".7"/>`,
  },
  "glasses-square": {
    face: `<g fill="#fff" fill-opacity=".1" stroke="${ink}" stroke-width="2.2"><rect height="21" rx="5.5" width="29" x="67" y="94"/><rect height="21" rx="5.5" width="29" x="104" y="94"/><path d="M96 101c2.5-1.5 5.5-1.5 8 0M67 99l-4-1M133 99l4-1" fill="none"/></g><path d="M71 98l7-1M108 98l7-1" stroke="#fff" stroke-width="1.2" stroke-linecap="round" opacity=".7"/>`,
  },
  headphones: {
    top: `<path d="M60 90C50 8 150 8 140 90" fill="none" stroke="${ink}" stroke-linecap="round" stroke-width="5.5"/><path d="M60 90C50 8 150 8 140 90" fill="none" opacity=".5" stroke="#767B85" stroke-width="1.5"/><rect fill="${seal}" height="32" rx="7" width="14" x="51" y="78"/><rect fill="${seal}" height="32" rx="7" width="14" x="135" y="78"/><rect fill="${ink}" height="26" rx="3" width="5" x="63" y="81"/><rect fill="${ink}" height="26" rx="3" width="5" x="132" y="81"/>`,
  },
  headset: {
    top: `<path d="M62 88C54 10 146 10 138 88" fill="none" stroke="${ink}" stroke-linecap="round" stroke-width="4"/><path d="M60 100C60 120 72 126 86 123" fill="none" stroke="${ink}" stroke-linecap="round" stroke-width="2.4"/><rect fill="${ink}" height="6" rx="3" width="11" x="83" y="119.5"/><rect fill="#3C8271" height="26" rx="6" width="12" x="54" y="80"/><rect fill="#3C8271" height="26" rx="6" width="12" x="134" y="80"/>`,
  },
  earrings: {
    face: `<g fill="${gold}"><circle cx="64" cy="122" r="2.6"/><circle cx="136" cy="122" r="2.6"/><path d="M64 117v3M136 117v3" stroke="${gold}"/></g>`,
  },
  scarf: {
    body: `<path d="M74 134C84 146 116 146 126 134 138 142 138 156 128 162 112 170 88 170 72 162 62 156 62 142 74 134z" fill="#B9573F"/><path d="M108 160C116 172 120 186 120 202H98C100 188 100 174 96 164z" fill="#A14731"/><path d="M72 150C86 160 114 160 128 149M80 140C92 148 108 148 120 141" fill="none" stroke="#DB8A70" stroke-linecap="round" stroke-width="1.8"/>`,
  },
  apron: {
    body: `<path d="M74 150L80 176M126 150L120 176" fill="none" stroke="${paper}" stroke-width="6"/><path d="M70 174C90 178 110 178 130 174L134 202H66z" fill="${paper}"/><path d="M86 184h28v18H86z" fill="none" stroke="#CFC3AC" stroke-width="2"/><rect fill="${seal}" height="7" rx="1.5" width="7" x="96.5" y="188"/>`,
  },
  // drawn with the hair it holds
  hairpin: {},
  bow: {
    top: `<g fill="${seal}"><path d="M62 46l-12-6v13zM62 46l12-6v13zM138 46l-12-6v13zM138 46l12-6v13z"/><circle cx="62" cy="46" r="3.2"/><circle cx="138" cy="46" r="3.2"/></g>`,
  },
  cap: {
    top: `<path d="M61 66C57 36 76 22 100 22S143 36 139 66C116 58 84 58 61 66z" fill="#2F4A63"/><path d="M100 22C90 30 86 44 86 60M100 22C110 30 114 44 114 60" fill="none" opacity=".5" stroke="#6E8AA4" stroke-width="1.5"/><path d="M57 66C76 54 124 54 143 66 149 72 143 77 136 74 116 65 84 65 64 74 57 77 51 72 57 66z" fill="#22384D"/><circle cx="100" cy="22.5" fill="#22384D" r="3"/><rect fill="${seal}" height="13" rx="3" width="13" x="93.5" y="37"/><path d="M97 42v3M100 39.5v8M103 41.5v4" fill="none" stroke="${paper}" stroke-linecap="round" stroke-width="1.5"/>`,
  },
  "chef-hat": {
    top: `<path d="M66 44C46 40 48 14 68 16 74 2 96 0 103 9 114 0 134 6 134 20 152 20 152 42 134 44z" fill="#FBF7EE"/><path d="M66 38C88 32 112 32 134 38L133 54C112 47 88 47 67 54z" fill="#EBE3D2"/><path d="M84 18c0 6 1 10 3 14M113 18c0 6-1 10-3 14" fill="none" stroke="#D5CAB4" stroke-linecap="round" stroke-width="1.8"/>`,
  },
  whistle: {
    body: `<path d="M78 150L98 184 122 150" fill="none" stroke="${ink}" stroke-width="2"/><path d="M92 182h16v5h-6a6 6 0 1 1-10 0z" fill="${gold}"/>`,
  },
};

/** Draws the accessories of one of three layers: over the coat, on the face, over the hair. */
export const drawAccessories = ({ accessories }: PortraitParameters, layer: AccessoryLayer) =>
  accessories
    .map((name) => accessoryDrawings[name][layer] ?? "")
    .map((markup) =>
      markup && layer !== "face" ? `<g transform="${layer === "top" ? headFit : coatFit}">${markup}</g>` : markup,
    )
    .join("");
