import test from 'ava';
import type { Page } from 'playwright-core';
import { browse, launch } from './_browser.js';
import { keyboardFaults, layoutFaults } from './_faults.js';

type Row = readonly [markup: string, fault: RegExp];

const [words, long] = ['word '.repeat(12), 'a line that is too long'];

/** Pages with one fault each, and a part of what has to be reported. That all is well, every page shows. */
const ofLayout: readonly Row[] = [
  ['<div style="width: 500px">wide</div>', /^the page is 5\d\d pixels wide/],
  [`<p style="white-space: nowrap">${words}</p>`, /^outside the window: "word word/],
  ['<p style="width: 60px; border: 1px solid">Donaudampfschiff</p>', /^out of its box: "Donaudampf.* of p$/],
  [
    `<div style="width: 90px; overflow: hidden; white-space: nowrap">${long}</div>`,
    /^clipped: "a line that is too long" by div$/,
  ],
  [`<select style="width: 60px"><option>${long}</select>`, /^clipped: "a line that is too long" by select$/],
  ['<p>first</p><p style="margin-top: -34px">second</p>', /^overlap: "first" and "second"$/],
  [
    '<input value="x" style="display: block"><p style="margin: -15px 0 0 5px">over it</p>',
    /^overlap: "input" and "over it"$/,
  ],
];

const ofFocus: readonly Row[] = [
  ['<a href="#">one</a><button style="outline: none">two</button>', /^the focus cannot be seen: button/],
  ['<p style="overflow: hidden"><a href="#">one</a></p><button>two</button>', /^the ring is cut off: a/],
  ['<a href="#" tabindex="3">1</a><b tabindex="2">2</b><button tabindex="1">3</button>', /^out of order/],
  ['<a href="#">one</a><a href="#" style="position: fixed; left: -400px">two</a>', /^outside the window: a/],
  ['<button>one</button><fieldset inert><button>two</button></fieldset>', /^not reached: button/],
];

const fonts = '<body style="margin: 0; font: 16px/1.2 sans-serif">';
const ring = '<style>:focus-visible { outline: 3px solid blue }</style>';

test('each planted fault of the layout and of the focus is found', async (t) => {
  const page = await (await browse(t, { viewport: { width: 390, height: 600 } })).newPage();
  const expectFound = async (
    find: (of: Page) => Promise<readonly string[]>,
    around: string,
    rows: readonly Row[],
  ) => {
    for (const [markup, fault] of rows) {
      await page.setContent(`<!doctype html>${around}${markup}`);
      const found = await find(page);
      t.true(
        found.some((line) => fault.test(line)),
        `${markup}: ${JSON.stringify(found)}`,
      );
    }
  };
  await expectFound(layoutFaults, fonts, ofLayout);
  await expectFound(keyboardFaults, ring, ofFocus);
});

test('a browser that would show pages in other fonts is refused', async (t) => {
  const missing = { text: 'No Such Sans', code: 'No Such Mono', debianPackage: 'fonts-none' };
  await t.throwsAsync(launch(t, missing), {
    message: /^no No Such Sans and No Such Mono found \(Debian has them in fonts-none\): Chromium shows \w/,
  });
});
