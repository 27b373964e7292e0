import type { NoResponse } from './http.js';

/** Why a server has given no response, for people, with the option that allows longer ones. */
export const noResponseReason = (error: NoResponse): string =>
  error._tag === 'Unreachable'
    ? error.reason
    : `the response to ${error.request} is longer than ${sizeText(error.maxBytes)} (--max-body)`;

const kilobyte = 1024;
const megabyte = kilobyte * kilobyte;

/** A size as `--max-body` takes it: `64mb`. */
const sizeText = (bytes: number): string => {
  if (bytes % megabyte === 0) return `${bytes / megabyte}mb`;
  return bytes % kilobyte === 0 ? `${bytes / kilobyte}kb` : `${bytes} bytes`;
};
