import { readFile } from 'node:fs/promises';
import { inspect } from 'node:util';
import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { withConnection } from '../../src/postgres/database.js';
import { opened, withPostgres } from './_postgres.js';
import { proxyTo, type Spoil } from './_proxy.js';

const { database } = withPostgres(test);

const changed =
  (how: (copy: Buffer) => unknown): Spoil =>
  (message) => {
    const bytes = Buffer.from(message);
    how(bytes);
    return { bytes };
  };
const lost: Spoil = () => ({ bytes: Buffer.alloc(0) });
const twice: Spoil = (message) => ({ bytes: Buffer.concat([message, message]) });
const withType = (type: string): Spoil => changed((copy) => copy.write(type, 0, 'latin1'));
const withLength = (length: number): Spoil => changed((copy) => copy.writeUInt32BE(length, 1));
const authentication: Spoil = () => ({ bytes: Buffer.from('R\0\0\0\x08\0\0\0\x07') });
const silence: Spoil = (message) => ({ bytes: message.subarray(0, 3), ending: 'silence' });

const impossible = /cannot read a message of the database: it has an unknown type, or an impossible length/;
const outOfOrder = (type: string) => new RegExp(`it is incomplete, or out of order \\(type ${type}\\)`);

/** What is done to a message of an answer with a row, and what comes of it. */
const spoiled: readonly (readonly [message: string, spoil: Spoil, cause: RegExp])[] = [
  ['parsed', withType('!'), impossible],
  ['parsed', withLength(3), impossible],
  ['parsed', withLength(2 ** 31), impossible],
  ['parsed', () => ({ bytes: Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n') }), impossible],
  ['parsed', authentication, /it asks for a method of authentication that is not supported/],
  ['bound', withType('Z'), outOfOrder('Z')],
  ['description', lost, outOfOrder('D')],
  ['description', twice, outOfOrder('T')],
  ['row', lost, outOfOrder('C')],
  ['row', twice, outOfOrder('C')],
  [
    'row',
    changed((copy) => copy.writeInt16BE(2, 5)),
    /incomplete|out(?:side)? of (?:order|range|buffer bounds)/,
  ],
  ['row', changed((copy) => copy.writeInt32BE(0, 7)), outOfOrder('D')],
  ['complete', lost, outOfOrder('Z')],
  ['complete', withType('E'), outOfOrder('E')],
  ['complete', (message) => ({ bytes: message.subarray(0, 3), ending: 'close' }), /Connection terminated/],
  ['complete', silence, /no answer from the database within/],
];
const places = ['parsed', 'bound', 'description', 'row', 'complete'];

for (const tls of [false, true])
  test(`a spoiled message of the database ends its connection and nothing else${tls ? ', with TLS' : ''}`, async (t) => {
    const proxy = await proxyTo(t, await database(t), tls);
    const { query } = opened(t, proxy.url, { timeLimit: 1000, poolSize: 1 });
    const ask = () => query({ text: 'SELECT $1::text AS answer', values: ['right'] });
    for (const [message, spoil, cause] of spoiled) {
      t.deepEqual(await ask(), E.right([{ answer: 'right' }]), message);
      proxy.spoil(spoil, places.indexOf(message));
      const refused = await ask();
      t.like(refused, { left: { _tag: 'StorageUnavailable' } }, message);
      t.regex(inspect(refused), cause, message);
    }
    // A connection that is silent takes its place for another second.
    let last = await ask();
    while (E.isLeft(last)) last = await ask();
    t.deepEqual(last, E.right([{ answer: 'right' }]));
  });

test('a login that fails, and one that gets no answer, leave no connection open', async (t) => {
  const proxy = await proxyTo(t, await database(t));
  const unknownMechanism: Spoil = () => ({ bytes: Buffer.from('R\0\0\0\x0e\0\0\0\x0aNONE\0\0') });
  for (const spoil of [unknownMechanism, authentication, silence]) {
    // After 20 messages, the login is over, and the settings of the connection are awaited.
    for (const after of [0, 20]) {
      proxy.spoil(spoil, after);
      const { query, connections } = opened(t, proxy.url, { timeLimit: 400 });
      t.like(await query({ text: 'SELECT 1', values: [] }), { left: { _tag: 'StorageUnavailable' } });
      while (proxy.open() > 0 || connections().total > 0)
        await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
});

test('the connection of a command is probed when nothing has come for a minute', async (t) => {
  if (process.platform !== 'linux') return void t.pass('only Linux shows the timers of connections');
  const found = await withConnection(await database(t), async ({ connection: { stream } }) => {
    const port = Object(stream).localPort.toString(16).toUpperCase();
    const line = new RegExp(`:${port} \\w+:\\w+ 01 \\S+ (\\d\\d):(\\w+)`);
    return E.right(line.exec(await readFile('/proc/self/net/tcp', 'utf8')));
  });
  const [, timer, time = ''] = (E.isRight(found) && found.right) || [];
  t.is(timer, '02');
  t.true(Number.parseInt(time, 16) <= 6000, `${time} hundredths of a second`);
});
