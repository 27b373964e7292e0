import { createHash, X509Certificate } from 'node:crypto';
import { chmod, mkdir, readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as E from '#fp-ts/Either';
import type { TlsCertificate } from '../../../http/listen.js';
import { writeFileAtomically } from '../../output/write-file-atomically.js';
import { usableCertificate } from './certificate-problem.js';
import { makeCertificate } from './made-certificate.js';

/** A certificate, and the file for clients that should trust it; null if it could not be kept. */
export type KeptCertificate = Readonly<{ tls: TlsCertificate; file: string | null }>;

/** A certificate that is valid for less than this is made again, in milliseconds. */
const leastValidity = 24 * 60 * 60 * 1000;

/**
 * The directory that keeps certificates between runs, so that a browser has to be told only once. Null: this
 * user has no home, as in some containers.
 */
const folderIn = (home: () => string): string | null => {
  try {
    return join(home(), '.cache', 'triage-api', 'https');
  } catch {
    return null;
  }
};

/**
 * The certificate for some names that an earlier run has made, or a new one. It is kept where only this user
 * can read it, and used again only if nobody else could have written it.
 */
export const keptCertificate = async (
  names: readonly string[],
  now: number,
  pid: number,
  home = homedir,
): Promise<KeptCertificate> => {
  const folder = folderIn(home);
  if (folder === null) return { tls: await makeCertificate(names, now), file: null };
  const id = createHash('sha256').update(names.join(' ')).digest('hex').slice(0, 12);
  const files = { cert: join(folder, `${id}.cert.pem`), key: join(folder, `${id}.key.pem`) };
  const kept = await readKept(files, now);
  if (kept !== null) return { tls: kept, file: files.cert };
  const tls = await makeCertificate(names, now);
  return { tls, file: (await write(files, folder, tls, pid)) ? files.cert : null };
};

type Files = Readonly<{ cert: string; key: string }>;

const readKept = async (files: Files, now: number): Promise<TlsCertificate | null> => {
  try {
    const { mode, uid } = await stat(files.key);
    const isOwn = process.getuid === undefined || (uid === process.getuid() && (mode & 0o077) === 0);
    if (!isOwn) return null;
    const [cert, key] = [await readFile(files.cert, 'utf8'), await readFile(files.key, 'utf8')];
    const usable = usableCertificate({
      cert: { file: files.cert, text: cert },
      key: { file: files.key, text: key },
      now,
    });
    const isLasting = Date.parse(new X509Certificate(cert).validTo) > now + leastValidity;
    return E.isRight(usable) && isLasting ? usable.right : null;
  } catch {
    return null;
  }
};

const write = async (files: Files, folder: string, tls: TlsCertificate, pid: number): Promise<boolean> => {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const key = await writeFileAtomically(files.key, tls.key, pid)();
    await chmod(files.key, 0o600);
    const cert = await writeFileAtomically(files.cert, tls.cert, pid)();
    return E.isRight(key) && E.isRight(cert);
  } catch {
    return false;
  }
};
