// The panels at the side of the board, from the top.

import { FindingsPanel } from "./findings.js";
import { ScorePanel } from "./score.js";
import { SimulationPanel } from "./simulation.js";
import { TreePanel } from "./tree.js";
import { VariationsPanel } from "./variations.js";

export const PANELS = [FindingsPanel, VariationsPanel, TreePanel, SimulationPanel, ScorePanel];
