'use strict';
// Keeps a page of the explorer current. While the page can be seen, it asks the server whether anything has
// changed, and then loads the page again. Requests are short, so that any number of tabs, proxies and a server
// that stops have nothing to wait for.
{
  const { src, dataset } = document.currentScript;
  const { version } = dataset;
  // What comes before all paths of the server, as before `/assets` in that of this script.
  const base = new URL('..', src).pathname.slice(0, -1);
  // Without a version, the server cannot tell whether anything has changed.
  const asks = version !== '';
  // Relative times are a minute old at most; so is all else where the server cannot tell what has changed.
  const maxAge = 60_000;
  // A page that costs the server much is loaded again less often.
  const maxShare = 0.01;
  const [loading] = performance.getEntriesByType('navigation');
  const cost = loading?.responseEnd - loading?.requestStart || 0;
  const timeLimit = 10_000;
  // Milliseconds since the page was opened: setting the clock of the machine does not change them.
  const now = () => new Event('now').timeStamp;
  const loadedAt = now();

  // The version that the server named last.
  let seen = version;
  let etag = null;
  let every = asks ? 1000 : maxAge;
  let wait = every;
  let failures = 0;
  let isBusy = false;
  let timer;

  const element = (name, attributes = {}, ...children) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
  };

  // A notice in a corner, which screen readers read out when they have nothing else to say.
  const notice = element('div', { class: 'notice', role: 'status' });
  let said = null;
  const texts = {
    stopped: () => ['The server does not answer. This page updates when it does again.'],
    ended: () => {
      const here = encodeURIComponent(location.pathname + location.search);
      return ['Your session has ended. ', element('a', { href: `${base}/login?next=${here}` }, 'Log in')];
    },
    waits: () => ['The data has changed. ', element('a', { href: '' }, 'Update this page')],
    broken: () => {
      const show = element('button', { type: 'button', class: 'quiet' }, 'Show the problems');
      show.addEventListener('click', () => dialog.showModal());
      return ['The changed fixtures are invalid; the previous ones are shown. ', show];
    },
  };
  const say = (kind) => {
    if (kind === said) return;
    said = kind;
    notice.replaceChildren(...(kind === null ? [] : texts[kind]()));
  };

  // What is wrong with changed fixtures, over the page. All text is set as text, never as markup.
  const close = element('button', { type: 'button', autofocus: '' }, 'Close');
  const title = element('h2', { id: 'overlay-title' }, 'The changed fixtures are invalid');
  const summary = element('p', { role: 'status' });
  const list = element('ol');
  const labelled = { class: 'overlay', 'aria-labelledby': title.id };
  const dialog = element('dialog', labelled, close, title, summary, list);
  document.body.append(notice, dialog);
  close.addEventListener('click', () => dialog.close());

  // Problems that a visitor has closed are not shown again; the notice leads back to them.
  let problems = 'null';
  let closed = 'null';
  dialog.addEventListener('close', () => {
    if (problems === 'null') return;
    closed = problems;
    say('broken');
  });

  const item = ({ message, place, frame }) => {
    const made = element('li', {}, element('p', { class: 'what' }, element('bdi', {}, message)));
    if (place === null) return made;
    const where = `${place.file}:${place.line}:${place.column}`;
    made.prepend(element('p', { class: 'where' }, element('bdi', {}, where)));
    const labels = { tabindex: '0', role: 'group', 'aria-label': `Lines around ${where}`, dir: 'ltr' };
    if (frame !== null) made.append(element('pre', labels, frame));
    return made;
  };

  const showProblems = (found) => {
    const next = JSON.stringify(found);
    if (next === problems) return;
    problems = next;
    if (found === null) {
      closed = problems;
      return dialog.close();
    }
    const { total, first } = found;
    const count = total === 1 ? '1 problem' : `${total.toLocaleString('en-US')} problems`;
    summary.textContent = `${count}. The previous fixtures are still served.`;
    if (total > first.length)
      summary.append(` The first ${first.length} are below; the log has all of them.`);
    list.replaceChildren(...first.map(item));
    if (problems !== closed && !dialog.open) dialog.showModal();
  };

  class SessionEnded extends Error {}

  const get = async (url, init) => {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(timeLimit) });
    if (response.status === 401 || response.redirected) throw new SessionEnded();
    if (response.status >= 500 || response.status === 429) throw new Error(response.status);
    return response;
  };

  // Whether what is shown is out of date.
  const hasChanged = async () => {
    const headers = { Accept: 'application/json', ...(etag && { 'If-None-Match': etag }) };
    const response = await get(`${base}/explore/changes`, { headers });
    if (response.status !== 304) {
      const answer = await response.json();
      etag = response.headers.get('ETag');
      every = answer.every;
      showProblems(answer.problems);
      seen = answer.version;
    }
    return seen !== version;
  };

  // Whether something would be lost that somebody types, chooses, or reads in the dialog.
  let isTyped = false;
  document.addEventListener('input', () => {
    isTyped = true;
  });
  const isInUse = () => {
    const focused = document.activeElement;
    const isInField = focused.matches('select') || (focused.matches('input') && focused.value !== '');
    return isTyped || isInField || dialog.open;
  };

  // What is the same after the page was loaded again; nothing stays in the storage.
  const keptKey = 'triage-api';
  const all = (selector) => Array.from(document.querySelectorAll(selector));
  const focusable = () => all('a, button, input, select, summary');
  const kept = JSON.parse(sessionStorage.getItem(keptKey));
  sessionStorage.removeItem(keptKey);
  if (kept?.url === location.href) {
    for (const [index, details] of all('details').entries()) details.open = kept.open[index] ?? details.open;
    focusable()[kept.focus]?.focus({ preventScroll: true });
    scrollTo(kept.x, kept.y);
    closed = kept.closed;
  }

  const reload = async () => {
    // An error page would not come back by itself. A server that has just told its version has no error.
    if (!asks) await get(location.href, { method: 'HEAD', headers: { Accept: 'text/html' } });
    const open = all('details').map((details) => details.open);
    const focus = focusable().indexOf(document.activeElement);
    const keeps = { url: location.href, x: scrollX, y: scrollY, focus, open, closed };
    sessionStorage.setItem(keptKey, JSON.stringify(keeps));
    location.reload();
    // The next page takes over.
    await new Promise(() => {});
  };

  const look = async () => {
    const isChanged = asks && (await hasChanged());
    const isDue = isChanged || now() - loadedAt > Math.max(maxAge, cost / maxShare);
    if (isDue && !isInUse()) await reload();
    if (isChanged && !dialog.open) say('waits');
    else say(problems === 'null' || dialog.open ? null : 'broken');
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
