import { benchInstall } from './install-size.js';
import { benchFindings } from './requests/findings.js';
import { benchGrowth } from './requests/growth.js';
import { benchOtherOperations } from './requests/other-operations.js';
import { reportOf, type Section } from './section.js';
import { benchState } from './state.js';

/** Everything that `npm run bench` measures, in the order of the tables. */
export const sections: readonly Section[] = [
  { name: 'findings', about: 'a page of findings, side by side with other servers', run: benchFindings },
  { name: 'operations', about: 'the other operations, against bare Koa', run: benchOtherOperations },
  { name: 'growth', about: 'large tenants, late pages, many tenants, rare requests', run: benchGrowth },
  {
    name: 'state',
    about: 'a change of the state file after many sign-ups',
    run: async ({ print }) => {
      await benchState(print);
      return reportOf();
    },
  },
  { name: 'install', about: 'the number and the size of the packages that are installed', run: benchInstall },
];
