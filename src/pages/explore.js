'use strict';
// Keeps a page of the explorer current. While the page can be seen, it asks the server whether anything has
// changed, then fetches the page and changes in place what differs: focus, selection, and what is typed stay.
// Requests are short, so that any number of tabs, proxies and a server that stops have nothing to wait for.
{
  const { src, dataset } = document.currentScript;
  let { version } = dataset;
  // What comes before all paths of the server, as before `/assets` in that of this script.
  const base = new URL('..', src).pathname.slice(0, -1);
  // Without one, the server cannot tell a change.
  const asks = version !== '';
  // Relative times are a minute old at most; so is all else where the server cannot tell what has changed.
  const maxAge = 60_000;
  // A page that costs the server much is fetched less often.
  const maxShare = 0.01;
  const [loading] = performance.getEntriesByType('navigation');
  let cost = loading?.responseEnd - loading?.requestStart || 0;
  const timeLimit = 10_000;
  // Milliseconds since the page was opened: setting the clock of the machine does not change them.
  const now = () => new Event('now').timeStamp;
  let loadedAt = now();

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
    waits: () => {
      const update = element('button', { type: 'button', class: 'quiet' }, 'Update this page');
      update.addEventListener('click', () => refresh().then(() => say(null), failed));
      return ['The data has changed. ', update];
    },
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

  // Closed problems are not shown again; the notice leads back to them.
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

  // Updates can be paused, also on the pages that are opened next in this tab.
  const pausedKey = 'triage-api-paused';
  const isPaused = () => sessionStorage.getItem(pausedKey) !== null;
  const pause = element('button', { type: 'button', class: 'quiet pause' });
  const showPause = () => {
    const [sign, label] = isPaused() ? ['▶', 'Resume updates'] : ['❚❚', 'Pause updates'];
    pause.replaceChildren(
      element('span', { 'aria-hidden': 'true' }, sign),
      ' ',
      element('span', { class: 'label' }, label),
    );
  };
  showPause();
  pause.addEventListener('click', () => {
    if (isPaused()) sessionStorage.removeItem(pausedKey);
    else sessionStorage.setItem(pausedKey, 'yes');
    showPause();
    wake();
  });
  document.querySelector('.heading').prepend(pause);

  const own = new Set([notice, dialog, pause]);
  const keyOf = ({ id, dataset }) => dataset?.key ?? (id || undefined);

  // The first node from here on that the script has not added.
  const fromPage = (node) => {
    let found = node;
    while (own.has(found)) found = found.nextSibling;
    return found;
  };

  // The node from `next` on that an update makes the same as a fetched one: by its key, or by its place.
  const counterpart = (fetched, next) => {
    const key = keyOf(fetched);
    if (key === undefined) {
      const isSame = next?.nodeName === fetched.nodeName && keyOf(next) === undefined;
      return isSame ? next : null;
    }
    let node = next;
    while (node !== null && keyOf(node) !== key) node = node.nextSibling;
    return node;
  };

  // Makes a node the same as a fetched one. Whether details are open is for the visitor to say.
  const update = (node, fetched) => {
    if (node.nodeType !== Node.ELEMENT_NODE) {
      if (node.data !== fetched.data) node.data = fetched.data;
      return;
    }
    for (const { name, value } of fetched.attributes)
      if (node.getAttribute(name) !== value) node.setAttribute(name, value);
    for (const { name } of Array.from(node.attributes))
      if (name !== 'open' && !fetched.hasAttribute(name)) node.removeAttribute(name);
    // Rows that are gone first, so that those below them need not be moved.
    const keys = new Set(Array.from(fetched.children, keyOf));
    for (const child of Array.from(node.children))
      if (keyOf(child) !== undefined && !keys.has(keyOf(child)) && !own.has(child)) child.remove();
    let next = fromPage(node.firstChild);
    for (const child of Array.from(fetched.childNodes)) {
      const same = counterpart(child, next);
      if (same === null) node.insertBefore(child, next);
      else {
        if (same !== next) node.insertBefore(same, next);
        update(same, child);
        next = fromPage(same.nextSibling);
      }
    }
    while (next !== null) {
      const rest = next;
      next = fromPage(next.nextSibling);
      rest.remove();
    }
  };

  const copies = element('div', { class: 'unseen', role: 'status' });
  for (const command of document.querySelectorAll('.command')) {
    const copy = element('button', { type: 'button', class: 'quiet copy' }, 'Copy');
    copy.addEventListener('click', () => {
      getSelection().selectAllChildren(command);
      copies.textContent = document.execCommand('copy') ? 'Copied' : 'Selected: copy it with the keyboard';
    });
    own.add(copy);
    command.after(copy);
  }
  own.add(copies);
  document.body.append(copies);

  // Browsers leave what is partly in view where it is.
  document.addEventListener('focusin', ({ target }) => {
    if (target.matches('.choices a:focus-visible'))
      target.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  });

  // Where nothing points at a mark of a chart, the first tap shows what it says, and the second one follows it.
  let tapped = null;
  document.addEventListener('click', (event) => {
    if (event.pointerType !== 'touch') return;
    const before = tapped;
    tapped = event.target.closest('.chart a');
    if (tapped === null || tapped === before) return;
    event.preventDefault();
    tapped.focus();
  });

  const refresh = async () => {
    const begun = now();
    const response = await get(location.href, { headers: { Accept: 'text/html' } });
    const fetched = new DOMParser().parseFromString(await response.text(), 'text/html');
    const focused = document.activeElement;
    document.title = fetched.title;
    update(document.body, fetched.body);
    if (focused !== document.activeElement && focused.isConnected) focused.focus({ preventScroll: true });
    version = fetched.querySelector('[data-version]')?.dataset.version ?? version;
    [cost, loadedAt] = [now() - begun, now()];
  };

  const look = async () => {
    const isChanged = asks && (await hasChanged());
    const isDue = isChanged || now() - loadedAt > Math.max(maxAge, cost / maxShare);
    if (isDue && !isPaused()) await refresh();
    if (isChanged && isPaused() && !dialog.open) say('waits');
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
