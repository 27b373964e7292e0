import test from 'ava';
import { serveWeb } from '../web/_browserless.js';

test('every response forbids scripts and framing by Content-Security-Policy, and pages contain no scripts', async (t) => {
  const { ask } = await serveWeb(t);
  for (const path of ['/', '/login', '/signup', '/healthz']) {
    const { headers, text } = await ask(path);
    t.is(
      headers.get('content-security-policy'),
      "default-src 'none';style-src 'self';img-src 'self' data:;form-action 'self';base-uri 'none';frame-ancestors 'none'",
    );
    t.is(headers.get('x-frame-options'), 'DENY', 'as frame-ancestors says');
    t.is(headers.get('x-content-type-options'), 'nosniff');
    t.notRegex(text, /<script|style="| on\w+=/);
  }
  const { headers } = await ask('/api/v1/repos');
  t.is(headers.get('content-security-policy'), "default-src 'none';frame-ancestors 'none'");
  t.is(headers.get('x-content-type-options'), 'nosniff');
  const css = await fetch(`${(await serveWeb(t)).url}/login/style.css`);
  t.is(css.headers.get('content-type'), 'text/css; charset=utf-8');
  t.regex(await css.text(), /prefers-color-scheme: dark/);
});
