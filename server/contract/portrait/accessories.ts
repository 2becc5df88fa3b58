import type { Accessory, PortraitParameters } from "./parameters";
import { gold, ink, paper, seal } from "./pigments";

type AccessoryLayer = "body" | "face" | "top";

/** The outlines were drawn on a shorter head; see hair.ts. */
const headFit = "matrix(1.05 0 0 1.165 -5 -5.5)";
const coatFit = "translate(0 10)";

const worn: Record<Accessory, Partial<Record<AccessoryLayer, string>>> = {
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

/** What someone wears on one of three layers: over the coat, on the face, over the hair. */
export const drawAccessories = ({ accessories }: PortraitParameters, layer: AccessoryLayer) =>
  accessories
    .map((name) => worn[name][layer] ?? "")
    .map((markup) =>
      markup && layer !== "face" ? `<g transform="${layer === "top" ? headFit : coatFit}">${markup}</g>` : markup,
    )
    .join("");
