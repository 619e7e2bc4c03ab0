/** The views of the result, in the order of their tabs. */

import { budget } from './budget.ts';
import { clusters } from './clusters.ts';
import { fleet } from './fleet.ts';
import { graph } from './graph.ts';
import { issues } from './issues.ts';
import { outline } from './outline.ts';
import { plan } from './plan.ts';
import { result } from './result.ts';
import type { View } from './view.ts';
import { why } from './why.ts';

export const VIEWS: readonly View[] = [result, outline, why, issues, graph, fleet, clusters, budget, plan];
