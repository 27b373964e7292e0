import test from 'ava';
import * as E from 'fp-ts/lib/Either.js';
import { browserPrograms } from '../../../src/cli/terminal/open-browser.js';

const url = 'http://127.0.0.1:4000/explore';
const handler = ['rundll32.exe', 'url.dll,FileProtocolHandler', url];

const rows: readonly (readonly [
  NodeJS.Platform,
  Readonly<Record<string, string>>,
  readonly (readonly string[])[],
])[] = [
  ['linux', { DISPLAY: ':0' }, [['xdg-open', url]]],
  ['linux', { WSL_DISTRO_NAME: 'Ubuntu' }, [['wslview', url], handler]],
  ['linux', { BROWSER: '/opt/my browser' }, [['/opt/my browser', url]]],
  [
    'linux',
    { BROWSER: 'firefox:chromium', DISPLAY: ':0' },
    [
      ['firefox', url],
      ['chromium', url],
    ],
  ],
  ['linux', { BROWSER: 'none' }, []],
  ['darwin', {}, [['open', url]]],
  ['darwin', { BROWSER: 'Google Chrome' }, [['open', '-a', 'Google Chrome', url]]],
  ['win32', {}, [handler]],
  ['win32', { BROWSER: 'C:\\b.exe' }, [['C:\\b.exe', url]]],
];

for (const [platform, environment, expected] of rows) {
  test(`on ${platform} with ${JSON.stringify(environment)}`, (t) => {
    const programs = browserPrograms({ platform, environment });
    t.deepEqual(E.isRight(programs) && programs.right.map((words) => [...words, url]), expected);
  });
}

test('without a display, there is none', (t) => {
  t.deepEqual(
    browserPrograms({ platform: 'linux', environment: { BROWSER: '' } }),
    E.left('there is no display: neither DISPLAY nor WAYLAND_DISPLAY is set'),
  );
});
