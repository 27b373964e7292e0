import test from 'ava';
import { operations } from '../../../src/contract/operations.js';
import { curlCommands, logInCommand } from '../../../src/pages/explorer/explorer-page.js';

test('there is a command for each kind of credentials that the operation accepts', (t) => {
  t.deepEqual(curlCommands('http://h/api/v1/prs?a=1&b=2', ['session', 'bearer']), [
    { kind: 'session', command: "curl -b triage.cookies 'http://h/api/v1/prs?a=1&b=2'" },
    {
      kind: 'bearer',
      command: `curl -H "Authorization: Bearer $TRIAGE_TOKEN" 'http://h/api/v1/prs?a=1&b=2'`,
    },
  ]);
  t.deepEqual(
    curlCommands('http://h/api/v1/findings', operations.listFindings.accepts).map(({ kind }) => kind),
    ['session'],
  );
});

test('a command is one word of the shell where it holds foreign text', (t) => {
  t.is(
    curlCommands("http://h/?a='$(id)'", ['session'])[0]?.command,
    `curl -b triage.cookies 'http://h/?a='\\''$(id)'\\'''`,
  );
  t.is(
    logInCommand('http://h', "ann@o'hara.test"),
    `curl -c triage.cookies --data-urlencode 'email=ann@o'\\''hara.test' --data-urlencode 'password=YOUR-PASSWORD' 'http://h/login'`,
  );
});
