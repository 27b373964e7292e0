import type { ExecutionContext } from 'ava';
import * as TE from 'fp-ts/lib/TaskEither.js';
import * as t from 'io-ts';
import type pg from 'pg';
import type { Database } from '../../../src/storage/postgres/database.js';
import { databaseError } from '../../../src/storage/postgres/database.js';
import { opened } from './_opened.js';

/** One step of a plan as it was carried out. */
export type Step = Readonly<{
  type: string;
  /** The rows of all its loops. */
  rows: number;
  loops: number;
  relation: string;
  index: string;
  /** How many rows its filter has removed. */
  removed: number;
  text: string;
}>;

/**
 * A statement that was carried out: its steps, and how many pages were looked at for it, those of inner
 * statements included.
 */
export type CarriedOut = Readonly<{ steps: readonly Step[]; pages: number }>;

const Plan: t.Type<PlanOf> = t.recursion('Plan', () =>
  t.intersection([
    t.type({ 'Node Type': t.string, 'Actual Rows': t.number, 'Actual Loops': t.number }),
    t.partial({
      Plans: t.array(Plan),
      'Relation Name': t.string,
      'Index Name': t.string,
      'Rows Removed by Filter': t.number,
      'Shared Hit Blocks': t.number,
      'Shared Read Blocks': t.number,
    }),
  ]),
);
type PlanOf = {
  'Node Type': string;
  'Actual Rows': number;
  'Actual Loops': number;
  Plans?: PlanOf[];
  'Relation Name'?: string;
  'Index Name'?: string;
  'Rows Removed by Filter'?: number;
  'Shared Hit Blocks'?: number;
  'Shared Read Blocks'?: number;
};
const Explained = t.type({ 'Query Text': t.string, Plan });

const stepsOf = (plan: PlanOf, text: string): readonly Step[] => [
  {
    type: plan['Node Type'],
    rows: Math.round(plan['Actual Rows'] * plan['Actual Loops']),
    loops: plan['Actual Loops'],
    relation: plan['Relation Name'] ?? '',
    index: plan['Index Name'] ?? '',
    removed: (plan['Rows Removed by Filter'] ?? 0) * plan['Actual Loops'],
    text,
  },
  ...(plan.Plans ?? []).flatMap((each) => stepsOf(each, text)),
];

/**
 * Every step of every statement that is carried out inside of another, down to those in functions, as the
 * server itself tells them. Takes a superuser.
 */
export const carriedOut = async (client: pg.Client, work: () => Promise<unknown>): Promise<CarriedOut> => {
  const steps: Step[] = [];
  let pages = 0;
  const take = ({ message = '' }: Readonly<{ message?: string | undefined }>): void => {
    const json = /plan:\s*(\{[\s\S]*\})/.exec(message)?.[1];
    const explained: unknown = json === undefined ? undefined : JSON.parse(json);
    if (!Explained.is(explained)) return;
    steps.push(...stepsOf(explained.Plan, explained['Query Text']));
    const { 'Shared Hit Blocks': hit = 0, 'Shared Read Blocks': read = 0 } = explained.Plan;
    pages = Math.max(pages, hit + read);
  };
  client.on('notice', take);
  await work();
  client.off('notice', take);
  return { steps, pages };
};

/**
 * Makes a connection of a superuser one as `openDatabase` opens it for a role, on which the server tells all
 * plans.
 */
export const tellPlans = async (
  test: ExecutionContext,
  client: pg.Client,
  url: string,
  role: string,
): Promise<Database> => {
  const settings = await opened(test, url).query({
    text: "SELECT name, setting FROM pg_settings WHERE source = 'session'",
    values: [],
  })();
  if (!Settings.is(settings)) throw new Error('the settings of a connection are not known');
  for (const { name, setting } of settings.right)
    await client.query('SELECT set_config($1, $2, false)', [name, setting]);
  await client.query(
    `LOAD 'auto_explain';
     SET auto_explain.log_min_duration = 0; SET auto_explain.log_nested_statements = on;
     SET auto_explain.log_analyze = on; SET auto_explain.log_buffers = on; SET auto_explain.log_format = json;
     SET auto_explain.log_level = notice; SET ROLE ${role}`,
  );
  return {
    ...opened(test, url),
    query: ({ text, values, name }) =>
      TE.tryCatch(
        async () => (await client.query({ text, values: [...values], ...(name && { name }) })).rows,
        databaseError,
      ),
  };
};

const Settings = t.type({ right: t.array(t.type({ name: t.string, setting: t.string })) });
