// The panels at the side of the board, from the top.

import { FindingsPanel } from "./findings.js";
import { GamePanel } from "./analysis_of_game.js";
import { OverTimePanel } from "./over_time.js";

export const PANELS = [FindingsPanel, OverTimePanel, GamePanel];
