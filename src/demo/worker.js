import { clear, createStore, entries, setMany } from 'idb-keyval';
import { openDemo } from '../../build/src/demo/open-demo.js';

// The service worker of a demo: it answers whatever is below its scope. `demoContent` stands above this script.

const { pathname: scope, origin } = new URL(self.registration.scope);

// Another demo of this origin, below another path, keeps its own things.
const name = `triage-api ${scope}`;
const store = createStore(name, 'kept');

// Whether a newer version is to take over, which the page that starts a demo makes it do.
let isLeaving = false;

let opened;
const open = () =>
  openDemo(JSON.parse(self.demoContent), {
    store: {
      entries: async () => (await entries(store)).filter(([, value]) => value !== undefined),
      write: (changes) => setMany(changes, store),
      clear: () => clear(store),
    },
    machine: () => Date.now(),
    elapsed: () => performance.now(),
    basePath: scope.slice(0, -1),
    onEnd: () => {
      opened = undefined;
    },
    newVersion: {
      isWaiting: () => self.registration.waiting !== null,
      takeOver: () => {
        isLeaving = true;
      },
    },
  }).catch((error) => {
    opened = undefined;
    throw error;
  });
const demo = () => {
  opened ??= open();
  return opened;
};

// Plain files of the folder, which are kept once they have been asked for.
const files = ['docs/swagger-ui-bundle.js', 'docs/swagger-ui.css'].map((file) => `${scope}${file}`);

const plainFile = async (request) => {
  const kept = await caches.match(request, { cacheName: name });
  if (kept !== undefined) return kept;
  const response = await fetch(request);
  const copy = response.clone();
  // Where there is no room, they are asked for again.
  if (response.ok)
    await caches
      .open(name)
      .then((cache) => cache.put(request, copy))
      .catch(() => {});
  return response;
};

// Says in words why the demo does not run.
const failed = (error) => {
  const reason = `This demo does not run in this browser (${error}).\n`;
  return new Response(reason, { status: 500, headers: { 'Content-Type': 'text/plain; charset=utf-8' } });
};

self.addEventListener('message', () => self.skipWaiting());
self.addEventListener('activate', (event) =>
  event.waitUntil(caches.delete(name).then(() => self.clients.claim())),
);
self.addEventListener('fetch', (event) => {
  const url = new URL(event.request.url);
  // Requests of its pages to elsewhere come here, too.
  if (url.origin !== origin || !url.pathname.startsWith(scope)) return;
  if (isLeaving && event.request.mode === 'navigate') return;
  if (files.includes(url.pathname)) return event.respondWith(plainFile(event.request));
  if (url.pathname.endsWith('/index.html'))
    return event.respondWith(Response.redirect(new URL(`.${url.search}`, url)));
  event.respondWith(
    demo()
      .then(({ answer }) => answer(event.request))
      .catch(failed),
  );
});

// The first request need not wait for what can be made before.
demo().catch(failed);
