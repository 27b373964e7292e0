import { webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
import type { TlsCertificate } from '../../../http/listen.js';

const day = 24 * 60 * 60 * 1000;

/** How long a certificate that is made is valid, in milliseconds. Browsers accept at most 398 days. */
export const madeFor = 365 * day;

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

const pem = (label: string, bytes: ArrayBuffer): string =>
  `-----BEGIN ${label}-----\n${(
    Buffer.from(bytes)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  ).join('\n')}\n-----END ${label}-----\n`;

/** Makes a key, and a certificate for names and addresses that it signs itself. `now` is in milliseconds. */
export const makeCertificate = async (names: readonly string[], now: number): Promise<TlsCertificate> => {
  // Which the other package expects to be there.
  await import('reflect-metadata');
  const x509 = await import('@peculiar/x509');
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned(
    {
      name: 'CN=triage-api on this machine',
      // Clocks of other machines may be behind.
      notBefore: new Date(now - day),
      notAfter: new Date(now + madeFor),
      keys,
      signingAlgorithm: algorithm,
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
        new x509.SubjectAlternativeNameExtension(
          names.map((name) => ({ type: isIP(name) === 0 ? 'dns' : 'ip', value: name })),
        ),
      ],
    },
    webcrypto,
  );
  return {
    cert: certificate.toString('pem'),
    key: pem('PRIVATE KEY', await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)),
  };
};
