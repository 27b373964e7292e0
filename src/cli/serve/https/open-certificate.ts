import { readFile, stat } from 'node:fs/promises';
import * as E from '#fp-ts/Either';
import type { TlsCertificate } from '../../../http/listen.js';
import type { HttpsSettings } from '../settings/https-settings.js';

type Settings = HttpsSettings & Readonly<{ host: string; allowedHosts: readonly string[] }>;

/** What `serve --https` serves with. */
export type OpenedCertificate = Readonly<{
  tls: TlsCertificate;
  /** The options with which curl trusts it; empty for a certificate of one's own. */
  curlOptions: readonly string[];
  /** What to print about it; null: nothing. */
  notice: string | null;
}>;

/** A certificate with those of all its issuers is far smaller, in bytes. */
const maxSize = 1024 * 1024;

const readPem = async (option: string, file: string): Promise<E.Either<string, string>> => {
  try {
    const found = await stat(file);
    // Devices may have no end. A pipe is what a shell makes of `<(command)`.
    if (found.size > maxSize || found.isCharacterDevice())
      return E.left(`${option} ${file}: expected a file of at most ${maxSize} bytes`);
    return E.right(await readFile(file, 'utf8'));
  } catch (error) {
    return E.left(`${option} ${file}: cannot be read: ${E.toError(error).message}`);
  }
};

/** Reads a certificate of one's own, or makes one. `left`: one line for each problem. Null: without https. */
export const openCertificate = async (
  { https, cert, key, host, allowedHosts }: Settings,
  now: number,
  pid: number,
): Promise<E.Either<readonly string[], OpenedCertificate | null>> => {
  if (!https) return E.right(null);
  if (cert !== undefined && key !== undefined) {
    const [certText, keyText] = [await readPem('--cert', cert), await readPem('--key', key)];
    if (E.isLeft(certText) || E.isLeft(keyText))
      return E.left([certText, keyText].filter(E.isLeft).map(({ left }) => left));
    const { usableCertificate } = await import('./certificate-problem.js');
    const usable = usableCertificate({
      cert: { file: cert, text: certText.right },
      key: { file: key, text: keyText.right },
      now,
    });
    return E.map((tls: TlsCertificate) => ({ tls, curlOptions: [], notice: null }))(usable);
  }
  const { keptCertificate } = await import('./kept-certificate.js');
  const { tls, file } = await keptCertificate(certifiedNames(host, allowedHosts), now, pid);
  return E.right({
    tls,
    curlOptions: file === null ? ['-k'] : ['--cacert', file],
    notice:
      file === null
        ? 'the certificate was made for this run only, and is trusted by nobody'
        : `the certificate was made on this machine: trust ${file} (Node: NODE_EXTRA_CA_CERTS)`,
  });
};

/** The names and addresses under which clients find the server; a dot in front stands for subdomains. */
const certifiedNames = (host: string, allowedHosts: readonly string[]): readonly string[] => {
  const names = ['localhost', '127.0.0.1', '::1', host, ...allowedHosts]
    .filter((name) => name !== '0.0.0.0' && name !== '::')
    .flatMap((name) =>
      name.startsWith('.') ? [name.slice(1), `*${name}`] : [name.replace(/^\[(.*)\]$/, '$1')],
    );
  return [...new Set(names)];
};
