// The panels at the side of the board, from the top.

import { GamePanel } from "./analysis_of_game.js";
import { FindingsPanel } from "./findings.js";
import { OverTimePanel } from "./over_time.js";
import { ScorePanel } from "./score.js";
import { SimulationPanel } from "./simulation.js";
import { TreePanel } from "./tree.js";
import { VariationsPanel } from "./variations.js";

export const PANELS = [
  FindingsPanel, VariationsPanel, OverTimePanel, GamePanel, TreePanel, SimulationPanel, ScorePanel,
];
