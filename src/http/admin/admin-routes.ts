import type { Simulation } from '../../simulation/simulation.js';
import type { AdminRoute } from './admin-route.js';
import { faultRoutes } from './fault-routes.js';
import { journalRoutes } from './journal-routes.js';

/** All controls. */
export const adminRoutes = ({ faults, journal }: Simulation): readonly AdminRoute[] => [
  ...faultRoutes(faults),
  ...journalRoutes(journal),
];
