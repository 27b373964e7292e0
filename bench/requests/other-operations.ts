import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { atLeast, type SectionContext, type SectionReport } from '../section.js';
import { type Setup, startOurs, withSetup } from './bench-setup.js';
import { answerOf, type Contestant } from './contestant.js';
import { inTurns, measureRound, medianRatio, ratiosOf } from './in-turns.js';
import { serverFile, startContestant, writeBody } from './own-servers.js';
import { session } from './served-fixture.js';

const headers = { cookie: `session=${session}` };

/** The other operations against bare Koa with the same bytes, and with an access log against without. */
export const benchOtherOperations = (context: SectionContext): Promise<SectionReport> =>
  withSetup(context, async (setup) => {
    const { silent, logging } = await startOurs(setup);
    const cases = [
      { measure: 'GET /api/v1/findings/{id}', path: `/api/v1/findings/${await anyId(silent.url)}` },
      { measure: 'GET /api/v1/prs?status=closed, 25 rows', path: '/api/v1/prs?status=closed' },
      { measure: 'GET /api/v1/repos, 50 repositories', path: '/api/v1/repos' },
    ];
    const reports: SectionReport[] = [];
    for (const { measure, path } of cases) {
      const of = (name: string, { url, pid }: Pick<Contestant, 'url' | 'pid'>): Contestant => ({
        name,
        work: '',
        url: `${url}${path}`,
        headers,
        pid,
      });
      reports.push(
        await compare(context, setup, measure, of('ours', silent), of('with access log', logging)),
      );
    }
    return {
      results: reports.flatMap(({ results }) => results),
      servers: [],
      watched: Object.assign({}, ...reports.map(({ watched }) => watched)),
    };
  });

const compare = async (
  context: SectionContext,
  setup: Setup,
  measure: string,
  ours: Contestant,
  logged: Contestant,
): Promise<SectionReport> => {
  const { status, body } = await answerOf(ours);
  if (status !== 200) throw new Error(`${ours.url}: got ${status}`);
  context.print(`${measure}: ${Buffer.byteLength(body)} bytes`);
  const koa = await startContestant(
    setup,
    { name: 'Koa 3, prepared', work: '', path: '', headers },
    serverFile('bare-koa'),
    [await writeBody(setup, 'body', body)],
  );
  const [our = [], withLog = [], theirs = []] = await inTurns(
    context,
    [ours, logged, koa].map((each) => (seconds) => measureRound(setup.tool, each, seconds)),
  );
  return {
    results: [
      atLeast(0.85, { measure, comparedWith: koa.name, ...ratiosOf(our, theirs) }),
      atLeast(0.85, { measure: `${measure}, access log on`, comparedWith: 'off', ...ratiosOf(withLog, our) }),
    ],
    servers: [],
    watched: { [measure]: medianRatio(our, theirs, 'microseconds') },
  };
};

const Page = t.type({ items: t.readonlyArray(t.type({ id: t.string })) });

/** The id of some finding. */
const anyId = async (url: string): Promise<string> => {
  const page = Page.decode(JSON.parse((await answerOf({ url: `${url}/api/v1/findings`, headers })).body));
  const id = E.isRight(page) ? page.right.items[0]?.id : undefined;
  if (id === undefined) throw new Error('the fixture of the benchmark has no findings');
  return id;
};
