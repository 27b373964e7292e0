import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const page = readFileSync(fileURLToPath(new URL('../../../docs/deploy.md', import.meta.url)), 'utf8');
const [, documented = ''] = /^```nginx\n([\s\S]*?)^```$/m.exec(page) ?? [];

/** The options of `serve` that go with the documented configuration. */
export const [, documentedWords = ''] = /^triage-api serve (--trust-proxy .*--drain .*)$/m.exec(page) ?? [];

/** The documented configuration, without TLS, between these ports. */
export const documentedConfiguration =
  (backends: readonly number[]) =>
  (port: number): string => {
    const [first, second] = backends;
    return documented
      .replace('listen 443 ssl;', `listen 127.0.0.1:${port};`)
      .replaceAll(/^ *ssl_certificate.*\n/gm, '')
      .replace('127.0.0.1:4001', `127.0.0.1:${first}`)
      .replace('127.0.0.1:4002', `127.0.0.1:${second}`);
  };
