import { benchCheck } from './check-memory.js';
import { benchInstall } from './install-size.js';
import { benchLoadTime } from './load-time.js';
import { benchReload } from './reload.js';
import { benchFindings } from './requests/findings.js';
import { benchGrowth } from './requests/growth.js';
import { benchOtherOperations } from './requests/other-operations.js';
import type { Section } from './section.js';
import { benchSmallCommands } from './small-commands.js';
import { benchStart } from './start.js';
import { benchState } from './state.js';

/** Everything that `npm run bench` measures, in the order of the tables. */
export const sections: readonly Section[] = [
  { name: 'findings', about: 'a page of findings, side by side with other servers', run: benchFindings },
  { name: 'operations', about: 'the other operations, against bare Koa', run: benchOtherOperations },
  { name: 'growth', about: 'large tenants, late pages, many tenants, rare requests', run: benchGrowth },
  { name: 'start', about: 'the time to the first answer, and the memory at rest', run: benchStart },
  { name: 'commands', about: 'the processor time of --version and healthcheck', run: benchSmallCommands },
  { name: 'load', about: 'the time and the memory to load large fixtures', run: benchLoadTime },
  { name: 'check', about: 'the memory of check and import with more files', run: benchCheck },
  { name: 'reload', about: 'requests during the reload of a large file', run: benchReload },
  { name: 'state', about: 'a change of the state file after many sign-ups', run: benchState },
  { name: 'install', about: 'the number and the size of the packages that are installed', run: benchInstall },
];
