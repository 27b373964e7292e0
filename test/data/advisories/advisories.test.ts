import test from 'ava';
import { advisoriesFor } from '../../../src/fixtures/advisories.js';
import { column } from '../../_data.js';

test('an advisory has the package, ecosystem and ranges that findings show', (t) => {
  t.deepEqual(advisoriesFor('lodash.defaultsdeep'), [
    {
      advisoryId: 'GHSA-jf85-cpcp-j695',
      cve: 'CVE-2019-10744',
      package: 'lodash.defaultsdeep',
      ecosystem: 'npm',
      vulnerableRange: '< 4.6.1',
      fixedRange: '>= 4.6.1',
      fixedVersion: '4.6.1',
      severity: 'critical',
      publishedOn: '2019-07-10',
    },
  ]);
  t.deepEqual(column(advisoriesFor('moment'), 'vulnerableRange'), ['< 2.29.2', '>= 2.18.0, < 2.29.4']);
  t.deepEqual(advisoriesFor('left-pad'), []);
});
