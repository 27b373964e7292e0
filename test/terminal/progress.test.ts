import { stripVTControlCharacters } from 'node:util';
import test from 'ava';
import { aUser } from '../_data.js';
import { runOnTerminal, screenAfter } from '../cli/terminal/_pseudo-terminal.js';
import { directoryWith } from '../fixtures/_directory.js';

test('a terminal shows progress in one line, which is gone at the end', async (t) => {
  const directory = await directoryWith(t, {
    'a.json': { user: aUser('a') },
    '日本語の長い名前のファイルと👩‍👩‍👧‍👦.json': { user: aUser('b') },
  });
  const { code, shown } = await runOnTerminal(['check', directory], { columns: 40 });
  t.is(code, 0);
  t.regex(shown, /checking \S+…/);
  const left = screenAfter(shown, 1000);
  t.notRegex(left, /checking/);
  t.regex(left, /^2 tenants, no problems$/m);
});

for (const [name, environment] of [
  ['CI', { CI: 'true' }],
  ['a dumb terminal', { TERM: 'dumb' }],
] as const) {
  test(`${name} gets no progress line`, async (t) => {
    const { shown } = await runOnTerminal(['check'], { environment });
    t.notRegex(shown, /checking/);
  });
}

test('a terminal gets colours, and none if it asks for none', async (t) => {
  const { code, shown } = await runOnTerminal(['chek']);
  t.is(code, 2);
  t.is(shown, "\u001b[31merror:\u001b[39m unknown command 'chek' (Did you mean check?)\n");
  const plain = await runOnTerminal(['chek'], { environment: { NO_COLOR: '1' } });
  t.is(plain.shown, stripVTControlCharacters(shown));
});

test('the help is no wider than the terminal', async (t) => {
  for (const columns of [80, 60]) {
    const { shown } = await runOnTerminal(['serve', '--help'], { columns });
    const lines = stripVTControlCharacters(shown).split('\n');
    // Examples and values are not broken.
    const long = lines.filter((line) => line.length > columns && !/^ {2}[$#]|^ +\S+$/.test(line));
    t.deepEqual(long, [], String(columns));
  }
});

test('a terminal shows the lines around a problem of a fixture', async (t) => {
  const directory = await directoryWith(t, { 'a.json': '{\n  "findings": [{ "severity": "hihg" }]\n}\n' });
  const { code, shown } = await runOnTerminal(['check', directory]);
  t.is(code, 1);
  t.regex(
    stripVTControlCharacters(shown),
    /got "hihg"\r?\n {2}1 \| \{\r?\n> 2 \| {3}"findings".*\r?\n.*\^\r?\n {2}3 \| \}/,
  );
});
