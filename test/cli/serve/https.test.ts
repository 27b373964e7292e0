import { writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { directoryWith } from '../../fixtures/_directory.js';
import { futureCert, otherKey, selfSigned } from '../../security/_self-signed.js';
import { listen, run } from '../_cli.js';

type Answer = Readonly<{ status: number | undefined; headers: NodeJS.Dict<string | string[]>; body: string }>;

/** Sends a request to a server whose certificate is trusted. */
const send = (
  url: string,
  ca: string,
  { headers = {}, body = '' }: Readonly<{ headers?: Record<string, string>; body?: string }> = {},
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { ca, method: body === '' ? 'GET' : 'POST', headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode, headers: response.headers, body: text }),
      );
    });
    sent.on('error', reject).end(body);
  });

/** The names of the files of a certificate and its key that is valid for a hundred years. */
const ownFiles = async (t: ExecutionContext): Promise<readonly string[]> => {
  const directory = await directoryWith(t, {});
  for (const name of ['cert', 'key'] as const)
    await writeFile(join(directory, `${name}.pem`), selfSigned[name]);
  return ['--cert', join(directory, 'cert.pem'), '--key', join(directory, 'key.pem')];
};

test('serve --https serves with the certificate that it is given', async (t) => {
  const { url, err } = await listen(t, ['--https', ...(await ownFiles(t))]);
  const ca = selfSigned.cert;
  t.regex(url, /^https:\/\/127\.0\.0\.1:\d+$/);
  t.true(err().includes(`  curl -H 'Cookie: session=acme-session' '${url}/api/v1/repos'`), err());
  t.regex(err(), /also at https:\/\/localhost:\d+: /);

  for (const host of ['127.0.0.1', 'localhost']) {
    const answer = await send(`${url.replace('127.0.0.1', host)}/api/v1/repos`, ca, {
      headers: { Cookie: 'session=acme-session' },
    });
    t.is(answer.status, 200, host);
    t.is(answer.headers['strict-transport-security'], undefined, 'no browser must insist on https later');
  }
  const login = await send(`${url}/login`, ca, {
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', Origin: url },
    body: 'email=dana%40acme.test&password=acme-password',
  });
  t.is(login.status, 303);
  t.regex(String(login.headers['set-cookie']), /^session=[^;]+;.*; samesite=lax; secure; httponly$/);
  const control = await send(`${url}/__admin/clock`, ca, { headers: { Origin: url } });
  t.is(control.status, 200, 'the controls take a page of this server for one');
  const other = await send(`${url}/__admin/clock`, ca, { headers: { Origin: url.replace('https', 'http') } });
  t.not(other.status, 200);
  await t.throwsAsync(send(url, futureCert));
});

const inPem = 'expected a certificate and a private key, both in PEM';

for (const [cert, key, problem] of [
  ['own.cert', 'other.key', /cannot be used: the key does not belong to the certificate$/m],
  ['own.key', 'own.key', new RegExp(`cannot be used: ${inPem}$`, 'm')],
  ['own.cert', 'broken.key', /cannot be used: /],
  ['none.cert', 'none.key', /cannot be used: ENOENT/],
] as const) {
  test(`${cert} and ${key} are refused, with the reason`, async (t) => {
    const directory = await directoryWith(t, {});
    const made = {
      own: selfSigned,
      other: { cert: '', key: otherKey },
      broken: {
        cert: '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n',
        key: '-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----\n',
      },
    };
    for (const [name, files] of Object.entries(made)) {
      await writeFile(join(directory, `${name}.cert`), files.cert);
      await writeFile(join(directory, `${name}.key`), files.key);
    }
    const words = ['--cert', join(directory, cert), '--key', join(directory, key)];
    const { code, err } = await run(['serve', '--port', '0', '--https', ...words]);
    t.is(code, 1);
    t.true(err.startsWith(`--cert ${words[1]} and --key ${words[3]} `), err);
    t.regex(err, problem);
    t.notRegex(err, /MIIB|BEGIN EC/);
  });
}

const help = ': mkcert makes both files, see docs/testing.md#https';

for (const [words, problem] of [
  ['--cert a.pem', '--cert needs --https'],
  ['--cert a.pem --key b.pem', '--cert and --key need --https'],
  ['--https', `--https needs --cert and --key${help}`],
  ['--https --key b.pem', `--https needs --cert${help}`],
] as const) {
  test(`serve ${words} is refused`, async (t) => {
    const refused = await run(['serve', '--port', '0', ...words.split(' ')]);
    t.deepEqual(refused, { code: 2, out: '', err: `${problem}\n` });
  });
}
