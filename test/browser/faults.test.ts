import test from 'ava';
import { browse, launch } from './_browser.js';
import { keyboardFaults, layoutFaults } from './_faults.js';

/** Pages with one fault each, and what has to be reported. */
const faultyFocus: readonly (readonly [markup: string, fault: RegExp])[] = [
  ['<a href="#">one</a><button style="outline: none">two</button>', /^the focus cannot be seen: button/],
  ['<p style="overflow: hidden"><a href="#">one</a></p><button>two</button>', /^the ring is cut off: a/],
  ['<a href="#" tabindex="3">1</a><b tabindex="2">2</b><button tabindex="1">3</button>', /^out of order/],
  ['<a href="#">one</a><a href="#" style="position: fixed; left: -400px">two</a>', /^outside the window: a/],
  ['<button>one</button><fieldset inert><button>two</button></fieldset>', /^not reached: button/],
];

test('each planted fault of the focus is found, and none is reported of a sound page', async (t) => {
  const page = await (await browse(t)).newPage();
  const around = (markup: string): string =>
    `<!doctype html><style>:focus-visible { outline: 3px solid blue }
.card:focus-visible { outline: none } .card:focus-visible::after { content: ""; outline: 3px solid blue }</style>${markup}`;
  for (const [markup, fault] of faultyFocus) {
    await page.setContent(around(markup));
    const found = await keyboardFaults(page);
    t.true(
      found.some((line) => fault.test(line)),
      `${markup}: ${JSON.stringify(found)}`,
    );
  }
  await page.setContent(
    around(`<a href="#">one</a><a class="card" href="#">card</a><label>two <input></label><details><summary>three</summary><a href="#">folded</a></details>
<select><option>four</select><pre tabindex="0">five</pre><button disabled>not</button><button hidden>not</button><button>six</button>`),
  );
  t.deepEqual(await keyboardFaults(page), []);
});

/** Pages with one fault each, and a part of what has to be reported. */
const faultyLayouts: readonly (readonly [name: string, markup: string, fault: RegExp])[] = [
  ['a page that is too wide', '<div style="width: 500px">wide</div>', /^the page is 5\d\d pixels wide/],
  [
    'text beyond the window',
    '<p style="white-space: nowrap">word word word word word word word word word word word word</p>',
    /^outside the window: "word word/,
  ],
  [
    'a long word out of its card',
    '<p style="width: 60px; border: 1px solid">Donaudampfschifffahrt</p>',
    /^out of its box: "Donaudampfschifffahrt" of p$/,
  ],
  [
    'a line that is cut off',
    '<div style="width: 90px; overflow: hidden; white-space: nowrap">a line that is too long</div>',
    /^clipped: "a line that is too long" by div$/,
  ],
  [
    'an option that is cut off',
    '<select style="width: 60px"><option>an option that is too long</select>',
    /^clipped: "an option that is too long" by select$/,
  ],
  [
    'two texts on top of each other',
    '<p>first</p><p style="margin-top: -34px">second</p>',
    /^overlap: "first" and "second"$/,
  ],
  [
    'text on a control',
    '<input value="x" style="display: block"><p style="margin: -15px 0 0 5px">over it</p>',
    /^overlap: "input" and "over it"$/,
  ],
];

/** Pages on which nothing is wrong. */
const sound: readonly (readonly [name: string, markup: string])[] = [
  [
    'paragraphs',
    '<h1>Title</h1><p>Some text with <code>code</code> and <a href="#">a link</a> that wraps around lines.</p>',
  ],
  [
    'a box that scrolls',
    '<pre style="width: 100px; height: 30px; overflow: auto">a long line in a box that scrolls\nand\nmore</pre><p>after it</p>',
  ],
  [
    'an ellipsis',
    '<p style="width: 90px; overflow: hidden; text-overflow: ellipsis; white-space: nowrap">a name that is too long</p><p>next</p>',
  ],
  [
    'a select that ends its option with an ellipsis',
    '<select style="width: 60px; text-overflow: ellipsis"><option>an option that is too long</select>',
  ],
  [
    'text for screen readers',
    '<span style="position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%)">hidden text</span><p>text</p>',
  ],
  [
    'folded content',
    '<details><summary>more</summary><p style="white-space: nowrap">folded folded folded folded folded folded</p></details><p>after</p>',
  ],
];

const around = (markup: string): string =>
  `<!doctype html><body style="margin: 0; font: 16px/1.2 sans-serif">${markup}`;

test('each planted fault of the layout is found', async (t) => {
  const page = await (await browse(t, { viewport: { width: 390, height: 600 } })).newPage();
  for (const [name, markup, fault] of faultyLayouts) {
    await page.setContent(around(markup));
    const found = await layoutFaults(page);
    t.true(
      found.some((line) => fault.test(line)),
      `${name}: ${JSON.stringify(found)}`,
    );
  }
});

test('nothing is reported of a sound layout', async (t) => {
  const page = await (await browse(t, { viewport: { width: 390, height: 600 } })).newPage();
  for (const [name, markup] of sound) {
    await page.setContent(around(markup));
    t.deepEqual(await layoutFaults(page), [], name);
  }
});

test('a browser that would show pages in other fonts is refused', async (t) => {
  const fonts = { text: 'No Such Sans', code: 'No Such Mono', debianPackage: 'fonts-none' };
  await t.throwsAsync(launch(t, fonts), {
    message: /^no No Such Sans and No Such Mono found \(Debian has them in fonts-none\): Chromium shows \w/,
  });
});
