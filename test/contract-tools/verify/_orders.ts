import { bodyOf, having, isAt, lists, type Mutation, type Row } from './_mutation.js';
import { asStatus } from './_values.js';

type Order = (rows: readonly Row[], query: URLSearchParams) => readonly Row[];

/** Findings in another order, which may depend on the query. */
export const findingsBy =
  (order: Order): Mutation =>
  async (incoming, real) => {
    const answer = await lists('findings', (all, query) => order(all.filter(having(query, 'repoId')), query))(
      incoming,
      real,
    );
    const { items, ...figures } = bodyOf(answer);
    if (!isAt('findings', incoming) || !Array.isArray(items)) return answer;
    const left = items.filter(having(incoming.query, 'severity')).filter(having(incoming.query, 'status'));
    return { ...answer, text: JSON.stringify({ items: left, ...figures }) };
  };

/** Pull requests in another order, which may depend on the query. */
export const prsBy = (order: Order): Mutation =>
  lists('prs', (all, query) =>
    order(
      all
        .filter(having(query, 'repoId'))
        .filter(({ prState }) => !query.has('status') || asStatus(prState) === query.get('status')),
      query,
    ),
  );
