import type { SoakRun } from './core/_run.js';
import { diskRuns } from './disk/_disk-runs.js';
import { hostileOnFixtures, hostileOnPostgres } from './hostile/_hostile-run.js';
import { isolationOnFixtures, isolationOnPostgres } from './isolation/_isolation-run.js';
import { postgresKill } from './kill/_postgres-kill-run.js';
import { powerLoss } from './kill/_power-loss-run.js';
import { stateKill } from './kill/_state-kill-run.js';
import { idleConnections, slowConnections } from './load/_crowd-runs.js';
import { fullLoad } from './load/_load-run.js';
import { logInFlood } from './load/_login-run.js';
import { pipeliningAttack } from './load/_pipelining-run.js';
import { proxiedKill } from './load/_proxy-run.js';

/** Every run, in the order in which they are done. */
export const allRuns: readonly SoakRun[] = [
  hostileOnFixtures,
  hostileOnPostgres,
  isolationOnFixtures,
  isolationOnPostgres,
  stateKill,
  postgresKill,
  powerLoss,
  ...diskRuns,
  fullLoad,
  idleConnections,
  slowConnections,
  pipeliningAttack,
  proxiedKill,
  logInFlood,
];
