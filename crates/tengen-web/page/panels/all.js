// The panels at the side of the board, from the top.

import { FindingsPanel } from "./findings.js";
import { VariationsPanel } from "./variations.js";

export const PANELS = [FindingsPanel, VariationsPanel];
