import { createSimulation, type Simulation } from '../../simulation/simulation.js';
import type { ServeSettings } from './settings/serve-settings.js';

type Settings = Pick<
  ServeSettings,
  | 'storage'
  | 'databaseUrl'
  | 'mockControls'
  | 'seed'
  | 'journalSize'
  | 'maxHang'
  | 'delay'
  | 'jitter'
  | 'failRate'
>;

/**
 * What a server simulates from the start: the delays and failures of its command line, as rules like any
 * other. Null: it has no mock controls.
 */
export const simulationOf = (settings: Settings): Simulation | null => {
  const { storage, databaseUrl, mockControls, delay, jitter, failRate } = settings;
  if (storage !== undefined || databaseUrl !== undefined || !mockControls) return null;
  const simulation = createSimulation(settings);
  if (delay + jitter > 0) simulation.faults.add({ delay, jitter });
  if (failRate > 0) simulation.faults.add({ code: 503, probability: failRate });
  return simulation;
};
