import * as t from 'io-ts';
import type pg from 'pg';

/** One step of a plan as it was carried out. */
export type Step = Readonly<{ type: string; rows: number; relation: string; text: string }>;

/**
 * A statement that was carried out: its steps, and how many pages were looked at for it, those of inner
 * statements included.
 */
export type CarriedOut = Readonly<{ steps: readonly Step[]; pages: number }>;

const Plan: t.Type<PlanOf> = t.recursion('Plan', () =>
  t.intersection([
    t.type({ 'Node Type': t.string, 'Actual Rows': t.number }),
    t.partial({
      Plans: t.array(Plan),
      'Relation Name': t.string,
      'Shared Hit Blocks': t.number,
      'Shared Read Blocks': t.number,
    }),
  ]),
);
type PlanOf = {
  'Node Type': string;
  'Actual Rows': number;
  Plans?: PlanOf[];
  'Relation Name'?: string;
  'Shared Hit Blocks'?: number;
  'Shared Read Blocks'?: number;
};
const Explained = t.type({ 'Query Text': t.string, Plan });

const stepsOf = (plan: PlanOf, text: string): readonly Step[] => [
  {
    type: plan['Node Type'],
    rows: plan['Actual Rows'],
    relation: plan['Relation Name'] ?? '',
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

/** Makes the server tell all plans on this connection. */
export const tellPlans = async (client: pg.Client): Promise<void> => {
  await client.query(
    `LOAD 'auto_explain';
     SET auto_explain.log_min_duration = 0; SET auto_explain.log_nested_statements = on;
     SET auto_explain.log_analyze = on; SET auto_explain.log_buffers = on; SET auto_explain.log_format = json; SET auto_explain.log_level = notice`,
  );
};
