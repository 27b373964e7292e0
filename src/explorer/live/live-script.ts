import { explorerPaths } from '../explorer-paths.js';
import { morphScript } from './morph-script.js';
import { noticeScript } from './notice-script.js';
import { overlayScript } from './overlay-script.js';

/**
 * Keeps a page of the explorer current. While the page can be seen, it asks the server whether anything has
 * changed, and then reads the page again and replaces what is different. Requests are short, so that any
 * number of tabs, proxies and a server that stops have nothing to wait for.
 */
export const liveScript = `'use strict';
{
const script = document.currentScript;
${morphScript}${noticeScript}${overlayScript}
// Relative times are a minute old at most; so is all else where the server cannot tell what has changed.
const maxAge = 60_000;
// A page that costs the server much is read again less often.
const maxShare = 0.01;
const timeLimit = 10_000;

// Without a version, the server cannot tell whether anything has changed.
let version = script.dataset.version;
// The version that the server named last.
let seen = version;
const asks = version !== '';
// Milliseconds since the page was opened: setting the clock of the machine does not change them.
const now = () => new Event('now').timeStamp;
let etag = null;
let every = asks ? 1000 : maxAge;
let wait = every;
let failures = 0;
let readAt = now();
let cost = 0;
let isBusy = false;
let timer;

class SessionEnded extends Error {}

const get = (url, headers) => fetch(url, { headers, signal: AbortSignal.timeout(timeLimit) });

// Whether what is shown is out of date.
const hasChanged = async () => {
  if (!asks) return false;
  const headers = { Accept: 'application/json', ...(etag && { 'If-None-Match': etag }) };
  const response = await get('${explorerPaths.changes}', headers);
  if (response.status === 401) throw new SessionEnded();
  if (response.status !== 304) {
    if (!response.ok) throw new Error(response.status);
    const answer = await response.json();
    etag = response.headers.get('ETag');
    every = answer.every;
    overlay.show(answer.problems);
    seen = answer.version;
  }
  return seen !== version;
};

const readAgain = async (isExpected) => {
  const started = now();
  const response = await get(location.pathname + location.search, { Accept: 'text/html' });
  if (response.redirected) throw new SessionEnded();
  if (response.status >= 500 || response.status === 429) throw new Error(response.status);
  const next = new DOMParser().parseFromString(await response.text(), 'text/html');
  const nextScript = next.querySelector('script[data-version]');
  if (nextScript === null) throw new Error('not a page of the explorer');
  readAt = now();
  cost = readAt - started;
  version = nextScript.dataset.version;
  document.title = next.title;
  const isDifferent = morph(document.body, next.body);
  if (isDifferent && (isExpected || !asks)) say('updated');
};

const look = async () => {
  const isChanged = await hasChanged();
  const age = now() - readAt;
  if (isChanged || failures > 0 || age > Math.max(maxAge, cost / maxShare)) await readAgain(isChanged);
  if (said === 'stopped' || said === 'ended') say(overlay.isPutAside() ? 'broken' : null);
  wait = isChanged ? every : Math.min(wait * 1.2, every * 3);
  failures = 0;
};

const failed = (error) => {
  failures += 1;
  // One request may fail by chance.
  if (error instanceof SessionEnded) say('ended');
  else if (failures > 1) say('stopped');
  wait = Math.min(every * 2 ** Math.min(failures, 10), Math.max(every, 5000) * 3);
};

const schedule = () => {
  clearTimeout(timer);
  // A hidden page waits until it is shown.
  if (document.visibilityState === 'visible') timer = setTimeout(run, wait);
};

const run = async () => {
  if (isBusy) return;
  isBusy = true;
  clearTimeout(timer);
  try {
    await look();
  } catch (error) {
    failed(error);
  }
  isBusy = false;
  schedule();
};

// The visitor is back from another tab or from sleep, or the network is.
const wake = () => {
  if (document.visibilityState !== 'visible') return clearTimeout(timer);
  wait = every;
  void run();
};
document.addEventListener('visibilitychange', wake);
for (const name of ['focus', 'online', 'pageshow']) addEventListener(name, wake);
void run();
}
`;
