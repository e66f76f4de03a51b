// The panels: at the side of the board, and below it.

import { GamePanel } from "./analysis_of_game.js";
import { FindingsPanel } from "./findings.js";
import { InfluencePanel } from "./influence.js";
import { OverTimePanel } from "./over_time.js";
import { ScorePanel } from "./score.js";
import { SimulationPanel } from "./simulation.js";
import { TreePanel } from "./tree.js";
import { VariationsPanel } from "./variations.js";

/** Beside the board, from the top. */
export const SIDE_PANELS = [FindingsPanel, VariationsPanel];

/** Below the board, one at a time. */
export const DOCK_PANELS = [
  TreePanel, SimulationPanel, ScorePanel, OverTimePanel, InfluencePanel, GamePanel,
];
