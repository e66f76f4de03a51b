// The panels at the side of the board, from the top.

import { FindingsPanel } from "./findings.js";

export const PANELS = [FindingsPanel];
