import { inspect } from 'node:util';
import test from 'ava';
import { styleFor } from '../../../src/cli/terminal/process-terminal.js';

for (const [isTerminal, environment, expected] of [
  [true, {}, true],
  [false, {}, false],
  [true, { NO_COLOR: '1' }, false],
  [true, { NODE_DISABLE_COLORS: '1' }, false],
  [true, { TERM: 'dumb' }, false],
  [false, { FORCE_COLOR: '1' }, true],
  [true, { FORCE_COLOR: '0' }, false],
  [true, { FORCE_COLOR: '1', NO_COLOR: '1' }, true],
] as const) {
  test(`${isTerminal ? 'a terminal' : 'a pipe'} with ${inspect(environment)} gets ${expected ? '' : 'no '}colours`, (t) =>
    t.is(styleFor(isTerminal, environment)('error: x') !== 'error: x', expected));
}

/** Text with the styles of a terminal by name. */
const named = (text: string): string =>
  text
    .replaceAll('\u001b[31m', '<red>')
    .replaceAll('\u001b[32m', '<green>')
    .replaceAll('\u001b[33m', '<yellow>')
    .replaceAll('\u001b[36m', '<cyan>')
    .replaceAll('\u001b[1m', '<bold>')
    .replaceAll('\u001b[2m', '<dim>')
    .replaceAll('\u001b[22m', '</>')
    .replaceAll('\u001b[39m', '</>');

const lines: readonly (readonly [line: string, styled: string])[] = [
  ["error: unknown command 'chek'", "<red>error:</> unknown command 'chek'"],
  ['--port: expected a port, got "x"', '<red>--port</>: expected a port, got "x"'],
  ['environment variable PORT: expected', '<red>environment variable PORT</>: expected'],
  ['warning: no setting is called X', '<yellow>warning:</> no setting is called X'],
  ['fixtures/a b.json:3:14 /user: missing', '<bold>fixtures/a b.json:3:14</> /user: missing'],
  ['refused: 2 problems', '<red>refused:</> 2 problems'],
  ['404 GET /x 1 ms x\n200 GET / 1 ms', '<yellow>404</> GET /x 1 ms x\n200 GET / 1 ms'],
  ['Options:\n  --port  a port', '<bold>Options:</>\n  --port  a port'],
  ['  # start it\n  $ triage-api', '<dim>  # start it</>\n  $ triage-api'],
  ['listening on http://127.0.0.1:4000', 'listening on <cyan>http://127.0.0.1:4000</>'],
  ['5 tenants, no problems', '5 tenants, <green>no problems</>'],
  ['{"time":"12:00:00 error:","level":"error"}', '{"time":"12:00:00 error:","level":"error"}'],
];

for (const [line, styled] of lines)
  test(`styles of ${inspect(line)}`, (t) => t.is(named(styleFor(true, {})(line)), styled));
