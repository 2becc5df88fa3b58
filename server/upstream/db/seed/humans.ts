import { featured } from "./humans/featured";
import type { SeedHuman } from "./humans/human";
import { square } from "./humans/square";

/** The digital humans the product ships with, those of the home page first. */
export const humans: SeedHuman[] = [...featured, ...square];
