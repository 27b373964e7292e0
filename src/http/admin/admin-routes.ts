import type { LiveData } from '../../simulation/live-data.js';
import type { Simulation } from '../../simulation/simulation.js';
import type { AdminRoute } from './admin-route.js';
import { clockRoutes } from './clock-routes.js';
import { dataRoutes } from './data-routes.js';
import { faultRoutes } from './fault-routes.js';
import { journalRoutes } from './journal-routes.js';
import { tenantRoutes } from './tenant-routes.js';

/** All controls. `live`: the clock and the data; null: they cannot be changed. */
export const adminRoutes = (simulation: Simulation, live: LiveData | null): readonly AdminRoute[] => [
  ...faultRoutes(simulation.faults),
  ...(live === null ? [] : [...clockRoutes(live), ...dataRoutes(live), ...tenantRoutes(live)]),
  ...journalRoutes(simulation.journal),
];
