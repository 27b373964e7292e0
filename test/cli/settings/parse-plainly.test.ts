import test from 'ava';
import { Command } from 'commander';
import * as fc from 'fast-check';
import { healthcheckCommand, parsePlainly } from '../../../src/cli/healthcheck.js';
import { addOptions } from '../../../src/cli/settings/option.js';
import { runs } from '../../_runs.js';

const { options } = healthcheckCommand;

/** What commander makes of a command line; null if it refuses it. */
const byCommander = (words: readonly string[]): Command | null => {
  const command = new Command('healthcheck')
    .exitOverride()
    .allowExcessArguments(false)
    .configureOutput({ writeErr: () => {}, writeOut: () => {} });
  addOptions(command, options);
  try {
    return command.parse(words, { from: 'user' });
  } catch {
    return null;
  }
};

const word = fc.constantFrom(
  ...['--port', '--port=4001', '-p', '-p4002', '4003', '--url', 'http://127.0.0.1:1', '--live', '--no-live'],
  ...['--timeout', '5', '--config', 'x.json', '--no-config', '--help', '--unknown', '--', 'word', '--port='],
);

test('what is parsed without commander is parsed as commander does it', (t) => {
  let parsed = 0;
  const check = (): void =>
    fc.assert(
      fc.property(fc.array(word, { maxLength: 5 }), (words) => {
        const plain = parsePlainly(words, Object.values(options));
        if (plain === null) return;
        parsed += 1;
        const full = byCommander(words);
        t.not(full, null, words.join(' '));
        for (const key of ['url', 'port', 'timeout', 'live', 'config']) {
          const isGiven = full?.getOptionValueSource(key) === 'cli';
          t.is(plain.getOptionValueSource(key) === 'cli', isGiven, `${key} of ${words.join(' ')}`);
          if (isGiven) t.is(plain.getOptionValue(key), full?.getOptionValue(key), words.join(' '));
        }
      }),
      runs(),
    );
  check();
  t.true(parsed > 0);
});

test('a command line that is not plainly valid is left to commander', (t) => {
  for (const words of [['--help'], ['--prot', '1'], ['x'], ['--port'], ['--live', '--no-live'], ['--live=1']])
    t.is(parsePlainly(words, Object.values(options)), null, words.join(' '));
});
