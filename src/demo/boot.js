// Starts a demo: this script stands in the page that a static host has at every address of it.
const say = (step, text) => {
  document.querySelector('[role=status]').textContent = text;
  document.querySelector('progress').value = step;
};
const start = async () => {
  const refuse = (text) => {
    throw new Error(text);
  };
  if (!isSecureContext || location.protocol === 'file:')
    refuse('Browsers run the demo only where addresses begin with https:// or http://localhost.');
  if (!('serviceWorker' in navigator))
    refuse('There are no service workers here, as in some private windows.');

  // The folder is this address, also without its last slash, or one above it: the nearest with a worker of this
  // name. Another project of the host may have a worker at the root, and most call theirs `sw.js`.
  const register = (folder) =>
    navigator.serviceWorker.register(new URL('triage-api-worker.js', folder)).catch((error) => {
      if (folder.pathname === '/') refuse(`The browser did not start it (${error}).`);
      return register(new URL('..', folder));
    });
  const address = new URL(location.pathname.replace(/\/?$/, '/'), location);
  say(1, 'The demo is being loaded.');
  const { installing, waiting, active, scope } = await register(address);
  say(2, 'The demo is loaded, and makes its data.');
  const worker = installing ?? waiting ?? active;
  // A newer version waits until it is told to take over.
  worker.postMessage('take over');
  await new Promise((resolve) => {
    const look = () => ['activated', 'redundant'].includes(worker.state) && resolve();
    worker.addEventListener('statechange', look);
    look();
  });

  // Without end, if something lets the worker answer nothing.
  const last = Number(sessionStorage.getItem('triage-api started'));
  sessionStorage.setItem('triage-api started', String(Date.now()));
  if (Date.now() - last < 5000) refuse('This page came past its worker, as developer tools can demand.');
  say(3, 'The demo is ready.');
  if (location.href.startsWith(scope)) location.reload();
  else location.replace(scope);
};

start().catch(({ message }) => {
  const advice = 'Open this address in a usual window of a current browser, or run "npx triage-api serve".';
  document.querySelector('main').textContent = `The demo does not run. ${message} ${advice}`;
});
