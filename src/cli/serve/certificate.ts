import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import * as E from '#fp-ts/Either';
import { shellQuote } from '../../common/messages.js';
import type { TlsCertificate } from '../../http/listen.js';

/** The text of a file in PEM, with the name of the file. */
type Pem = Readonly<{ file: string; text: string }>;

/** A certificate with those of all its issuers is far smaller, in bytes. */
const maxSize = 1024 * 1024;

const readPem = async (option: string, file: string): Promise<E.Either<string, Pem>> => {
  try {
    const found = await stat(file);
    // Devices may have no end. A pipe is what a shell makes of `<(command)`.
    if (found.size > maxSize || found.isCharacterDevice())
      return E.left(`${option} ${file}: expected a file of at most ${maxSize} bytes`);
    return E.right({ file, text: await readFile(file, 'utf8') });
  } catch (error) {
    return E.left(`${option} ${file}: cannot be read: ${E.toError(error).message}`);
  }
};

const firstCertificate = /-----BEGIN (?:TRUSTED )?CERTIFICATE-----/;

const isEncrypted = (text: string): boolean =>
  /-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/m.test(text);

const parsedCertificate = ({ file, text }: Pem): E.Either<string, X509Certificate> => {
  if (!firstCertificate.test(text))
    return E.left(
      `--cert ${file}: expected a certificate in PEM, which begins with -----BEGIN CERTIFICATE-----`,
    );
  return E.tryCatch(
    () => new X509Certificate(text),
    (error) => `--cert ${file}: the certificate cannot be read: ${E.toError(error).message}`,
  );
};

const parsedKey = ({ file, text }: Pem): E.Either<string, KeyObject> => {
  if (isEncrypted(text))
    return E.left(
      `--key ${file}: the key is encrypted; decrypt it with: openssl pkey -in ${shellQuote(file)} -out decrypted.pem`,
    );
  if (!text.includes('PRIVATE KEY-----'))
    return E.left(
      `--key ${file}: expected a private key in PEM, which begins with -----BEGIN PRIVATE KEY-----`,
    );
  return E.tryCatch(
    () => createPrivateKey(text),
    (error) => `--key ${file}: the private key cannot be read: ${E.toError(error).message}`,
  );
};

/** What keeps a certificate from being used now. */
const timeProblems = (certificate: X509Certificate, file: string, now: number): readonly string[] => {
  const { validFrom, validTo } = certificate;
  if (Date.parse(validTo) <= now) return [`--cert ${file}: the certificate expired on ${validTo}`];
  return Date.parse(validFrom) > now
    ? [`--cert ${file}: the certificate is not valid before ${validFrom}`]
    : [];
};

/** A certificate with its key, if clients can connect with it. */
const usableCertificate = (cert: Pem, key: Pem, now: number): E.Either<readonly string[], TlsCertificate> => {
  const certificate = parsedCertificate(cert);
  const privateKey = parsedKey(key);
  const problems = [
    ...[certificate, privateKey].filter(E.isLeft).map(({ left }) => left),
    ...(E.isRight(certificate) ? timeProblems(certificate.right, cert.file, now) : []),
    ...(E.isRight(certificate) &&
    E.isRight(privateKey) &&
    !certificate.right.checkPrivateKey(privateKey.right)
      ? [`--key ${key.file}: the key does not belong to the certificate in ${cert.file}`]
      : []),
  ];
  if (problems.length > 0) return E.left(problems);
  return E.tryCatch(
    () => {
      // Such as a key that is too short for OpenSSL.
      createSecureContext({ cert: cert.text, key: key.text });
      return { cert: cert.text, key: key.text };
    },
    (error) => [`--cert ${cert.file}: the certificate cannot be used: ${E.toError(error).message}`],
  );
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
  return E.isRight(cert) && E.isRight(key)
    ? usableCertificate(cert.right, key.right, now)
    : E.left([cert, key].filter(E.isLeft).map(({ left }) => left));
};
