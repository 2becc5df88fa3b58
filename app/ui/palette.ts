/** Ink and seal: every colour of the product. Text pairs are held to 4.5:1 by app/ui/palette.test.ts. */
export const light = {
  paper: "#FAF8F4",
  surface: "#FFFFFF",
  wash: "#F3EFE7",
  ink: "#16181D",
  muted: "#62666D",
  line: "#E6E1D8",
  edge: "#908A80",
  seal: "#C8371F",
  "seal-hover": "#A92D18",
  "on-seal": "#FFFFFF",
  celadon: "#2B7665",
  "on-celadon": "#FFFFFF",
  gold: "#89651D",
};

export const dark: typeof light = {
  paper: "#0F1114",
  surface: "#171A1F",
  wash: "#1F242B",
  ink: "#ECE8E1",
  muted: "#A2A7AF",
  line: "#2A2E35",
  edge: "#6B727D",
  seal: "#F0634A",
  "seal-hover": "#F47C66",
  "on-seal": "#1B0B07",
  celadon: "#5FB8A3",
  "on-celadon": "#06140F",
  gold: "#D9B36A",
};
