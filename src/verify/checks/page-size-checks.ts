import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { getRequest } from '../../client/api-request.js';
import { type ListName, pathOf } from '../../client/operation-requests.js';
import { isJsonEqual } from '../../common/canonical-json.js';
import { defaultLimit, maxLimit } from '../../contract/parameters.js';
import type { Check } from '../check.js';
import { allOf, asPage, own, pageOf, sectionOf } from '../lists.js';
import type { Reading } from '../reading.js';
import { wholeIn } from '../row.js';
import { asIn, notExercised, verdictOf, violation } from '../verdict.js';
import { valuesOf } from './filtered.js';

const pageSizeChecksOf = (name: ListName): readonly Check[] => {
  const section = sectionOf[name];
  const plain = (reading: Reading) => reading.ask(getRequest(pathOf[name], [], own(reading)));
  return [
    {
      id: `${name}.paging.default-limit`,
      section: `${section}, 8`,
      level: 'must',
      statement: `${name}: without limit a page holds ${defaultLimit}`,
      compares: true,
      check: (reading) =>
        pipe(
          TE.Do,
          TE.apS('all', allOf(reading, name)),
          TE.apS('plain', plain(reading)),
          TE.map(({ all, plain: exchange }) => {
            const page = asPage(exchange);
            if (page === null)
              return verdictOf('', [violation(exchange.ask, [], '200 with a page', exchange.answer.status)]);
            const limit = page.envelope.limit;
            if (limit !== defaultLimit)
              return verdictOf('', [violation(page.ask, ['limit'], String(defaultLimit), limit)]);
            if (all.rows.length <= defaultLimit) return notExercised(`more than ${defaultLimit} ${name}`);
            return verdictOf('', [
              page.items.length === defaultLimit
                ? null
                : violation(page.ask, ['items'], `${defaultLimit} items`, page.items.length),
            ]);
          }),
        ),
    },
    {
      id: `${name}.paging.default-page`,
      section: `${section}, 8`,
      level: 'must',
      statement: `${name}: without page it is the first, and pages count from 1`,
      compares: true,
      check: (reading) =>
        pipe(
          TE.Do,
          TE.apS('all', allOf(reading, name)),
          TE.apS('plain', pageOf(reading, getRequest(pathOf[name], [], own(reading)))),
          TE.apS('first', pageOf(reading, getRequest(pathOf[name], [['page', '1']], own(reading)))),
          TE.map(({ all, plain: page, first }) => {
            if (page.envelope.page !== 1)
              return verdictOf('', [violation(page.ask, ['page'], '1', page.envelope.page)]);
            if (all.rows.length <= defaultLimit) return notExercised(`more than ${defaultLimit} ${name}`);
            return verdictOf('', [
              isJsonEqual(valuesOf(page), valuesOf(first))
                ? null
                : violation(page.ask, ['items'], `the same items${asIn(first.ask)}`, valuesOf(page)),
            ]);
          }),
        ),
    },
    {
      id: `${name}.paging.maximum-limit`,
      section: `${section}, 8`,
      level: 'must',
      statement: `${name}: no page holds more than ${maxLimit}, whatever limit asks for`,
      compares: false,
      check: (reading) =>
        pipe(
          TE.Do,
          TE.apS('all', allOf(reading, name)),
          TE.apS(
            'above',
            reading.ask(getRequest(pathOf[name], [['limit', String(maxLimit + 100)]], own(reading))),
          ),
          TE.map(({ all, above }) => {
            const page = asPage(above);
            // The contract does not say what happens above the maximum: to refuse it keeps the maximum, too.
            if (page === null) {
              const { status } = above.answer;
              const isRefused = status >= 400 && status < 500;
              return verdictOf('', [isRefused ? null : violation(above.ask, [], '200 or a refusal', status)]);
            }
            const limit = wholeIn(page.envelope, 'limit');
            if (limit === null || limit > maxLimit)
              return verdictOf('', [
                violation(page.ask, ['limit'], `at most ${maxLimit}`, page.envelope.limit),
              ]);
            if (all.rows.length <= maxLimit) return notExercised(`more than ${maxLimit} ${name}`);
            return verdictOf('', [
              page.items.length <= maxLimit
                ? null
                : violation(page.ask, ['items'], `at most ${maxLimit} items`, page.items.length),
            ]);
          }),
        ),
    },
  ];
};

/** The page and the size that are served where none is asked for, and the largest (contract, section 8). */
export const pageSizeChecks: readonly Check[] = [...pageSizeChecksOf('findings'), ...pageSizeChecksOf('prs')];
