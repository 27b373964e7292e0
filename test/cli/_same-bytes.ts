import type { ExecutionContext } from 'ava';
import { cookie } from '../_server.js';
import type { Running } from './_cli.js';

/** The tenants of the shipped fixtures. Each has a session with the value `<id>-session`. */
export const shippedTenants = ['acme', 'boundary', 'demo', 'empty', 'large'];

const paths = [
  '/api/v1/repos',
  '/api/v1/findings?limit=100',
  '/api/v1/findings?limit=100&page=4',
  '/api/v1/findings?severity=high&page=2',
  '/api/v1/prs?limit=100',
  '/api/v1/prs?status=closed&page=2',
];

/** Asserts that two servers respond with the same bytes to each tenant. */
export const sameBytes = async (
  t: ExecutionContext,
  expected: Pick<Running, 'url'>,
  actual: Pick<Running, 'url'>,
): Promise<void> => {
  let compared = 0;
  for (const tenant of shippedTenants) {
    for (const path of paths) {
      const [wanted = '', given = ''] = await Promise.all(
        [expected, actual].map(async ({ url }) =>
          (await fetch(`${url}${path}`, cookie(`${tenant}-session`))).text(),
        ),
      );
      t.is(given, wanted, `${tenant} ${path}`);
      compared += given.length;
    }
  }
  t.true(compared > 100_000, 'the responses have rows');
};
