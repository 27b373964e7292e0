import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import * as E from '#fp-ts/Either';
import { shellQuote } from '../../common/messages.js';
import type { TlsCertificate } from '../../koa/listen.js';
import { messageOf } from '../output/text.js';

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
    return E.left(`${option} ${file}: cannot be read: ${messageOf(error)}`);
  }
};

/** What Node makes of text in PEM. `left`: what is wrong with it. */
const parsePem = <A>(what: string, begins: RegExp, text: string, parse: () => A): E.Either<string, A> =>
  begins.test(text)
    ? E.tryCatch(parse, (error) => `the ${what} cannot be read: ${messageOf(error)}`)
    : E.left(`expected a ${what} in PEM, which begins with -----BEGIN ${what.toUpperCase()}-----`);

const isEncrypted = /-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/m;

/** What keeps clients from connecting with a certificate and its key. */
const certificateProblems = (certFile: string, cert: string, keyFile: string, key: string, now: number) => {
  const problems: string[] = [];
  const [ofCert, ofKey] = [`--cert ${certFile}: `, `--key ${keyFile}: `];
  const certificate = parsePem(
    'certificate',
    /-----BEGIN (?:TRUSTED )?CERTIFICATE-----/,
    cert,
    () => new X509Certificate(cert),
  );
  const privateKey = isEncrypted.test(key)
    ? E.left(
        `the key is encrypted; decrypt it with: openssl pkey -in ${shellQuote(keyFile)} -out decrypted.pem`,
      )
    : parsePem('private key', /PRIVATE KEY-----/, key, () => createPrivateKey(key));
  if (E.isLeft(certificate)) problems.push(ofCert + certificate.left);
  if (E.isLeft(privateKey)) problems.push(ofKey + privateKey.left);
  if (E.isLeft(certificate)) return problems;
  const { validFrom, validTo } = certificate.right;
  if (Date.parse(validTo) <= now) problems.push(`${ofCert}the certificate expired on ${validTo}`);
  else if (Date.parse(validFrom) > now)
    problems.push(`${ofCert}the certificate is not valid before ${validFrom}`);
  if (E.isRight(privateKey) && !certificate.right.checkPrivateKey(privateKey.right))
    problems.push(`${ofKey}the key does not belong to the certificate in ${certFile}`);
  return problems;
};

/**
 * Reads the files of `--cert` and `--key`. `left`: one line for each reason why clients could not connect
 * with them at `now`, in milliseconds.
 */
export const readCertificate = async (
  certFile: string,
  keyFile: string,
  now: number,
): Promise<E.Either<readonly string[], TlsCertificate>> => {
  const [cert, key] = [await readPem('--cert', certFile), await readPem('--key', keyFile)];
  if (E.isLeft(cert) || E.isLeft(key)) return E.left([cert, key].filter(E.isLeft).map(({ left }) => left));
  const pair = { cert: cert.right, key: key.right };
  const problems = certificateProblems(certFile, pair.cert, keyFile, pair.key, now);
  if (problems.length > 0) return E.left(problems);
  return E.tryCatch(
    () => {
      // Such as a key that is too short for OpenSSL.
      createSecureContext(pair);
      return pair;
    },
    (error) => [`--cert ${certFile}: the certificate cannot be used: ${messageOf(error)}`],
  );
};
