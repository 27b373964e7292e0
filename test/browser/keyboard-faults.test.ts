import test from 'ava';
import { browse } from './_browser.js';
import { keyboardFaults } from './_keyboard-faults.js';

/** Pages with one fault each, and what has to be reported. */
const faulty: readonly (readonly [markup: string, fault: RegExp])[] = [
  ['<a href="#">one</a><button style="outline: none">two</button>', /^the focus cannot be seen: button/],
  ['<a href="#" tabindex="3">1</a><b tabindex="2">2</b><button tabindex="1">3</button>', /^out of order/],
  ['<a href="#">one</a><a href="#" style="position: fixed; left: -400px">two</a>', /^outside the window: a/],
  ['<button>one</button><fieldset inert><button>two</button></fieldset>', /^not reached: button/],
];

test('each planted fault is found, and none is reported of a sound page', async (t) => {
  const page = await (await browse(t)).newPage();
  const around = (markup: string): string =>
    `<!doctype html><style>:focus-visible { outline: 3px solid blue }
.card:focus-visible { outline: none } .card:focus-visible::after { content: ""; outline: 3px solid blue }</style>${markup}`;
  for (const [markup, fault] of faulty) {
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
