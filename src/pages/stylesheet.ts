import { accountStyles } from './account-styles.js';
import { tokenStyles } from './token-styles.js';

/** The stylesheet of all pages: light and dark, for any width from 320 pixels. */
export const stylesheet = `
:root {
  color-scheme: light dark;
  --ground: #f7f7f5;
  --raised: #ffffff;
  --text: #1d2329;
  --faint: #57606a;
  --line: #d5d8db;
  --accent: #0b5c8f;
  --on-accent: #ffffff;
  --danger: #a3262a;
  --alert: #fdeceb;
  --mock: #fdf2cf;
  --on-mock: #5a4100;
  --kept: #dff3e4;
  --on-kept: #14532d;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --ground: #14171a;
    --raised: #1d2226;
    --text: #e8eaec;
    --faint: #a3acb5;
    --line: #384048;
    --accent: #7cc0ee;
    --on-accent: #0c1720;
    --danger: #ff9c98;
    --alert: #3c1f20;
    --mock: #3b3110;
    --on-mock: #f6dd96;
    --kept: #163522;
    --on-kept: #b5e8c5;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body {
  margin: 0;
  background: var(--ground);
  color: var(--text);
  font: 1rem/1.55 system-ui, sans-serif;
  overflow-wrap: anywhere;
}
header, main { max-width: 64rem; margin: 0 auto; padding: 0 1.25rem; }
main { max-width: 44rem; }
.medium main { max-width: 64rem; }
.wide header, .wide main { max-width: 96rem; }
header { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem 1.5rem; padding-block: .9rem; }
.session { display: flex; align-items: center; justify-content: flex-end; gap: 1.1rem; flex: 1 1 18rem; min-width: 0; white-space: nowrap; }
.session form { margin: 0; }
.name { font-weight: 700; color: inherit; text-decoration: none; }
nav { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem 1.1rem; }
.who {
  flex: 0 1 auto; min-width: 0; max-width: 18rem; color: var(--faint); overflow: hidden; text-overflow: ellipsis; white-space: nowrap;
}
a { color: var(--accent); text-underline-offset: .15em; }
header a, nav a, .name, button, .button { overflow-wrap: normal; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
header a { text-decoration: none; }
header a:hover { text-decoration: underline; }
header a[aria-current] { color: inherit; font-weight: 600; text-decoration: none; }
.skip { position: absolute; left: -100vw; padding: .5rem 1rem; background: var(--raised); }
.skip:focus { left: .5rem; top: .5rem; }
.mode { font-size: .9rem; text-align: center; }
.mode p { max-width: 44rem; margin: 0 auto; padding: .35rem 1.25rem; }
.mode-fixtures { background: var(--mock); color: var(--on-mock); }
.mode-database { background: var(--kept); color: var(--on-kept); }
h1 { margin: 1.8rem 0 .8rem; font-size: 1.8rem; line-height: 1.2; text-wrap: balance; }
h2 { margin: 2.2rem 0 .8rem; font-size: 1.25rem; }
h3 { margin: 0 0 .5rem; font-size: 1.05rem; }
main { padding-bottom: 4rem; }
.lead { font-size: 1.15rem; }
.card {
  margin: 1rem 0; padding: 1.1rem 1.25rem; background: var(--raised); border: 1px solid var(--line);
  border-radius: .6rem;
}
.card > :first-child { margin-top: 0; }
.card > :last-child { margin-bottom: 0; }
.card p { margin: .3rem 0; }
.card p.next { margin: 1rem 0 0; }
.field { margin: 0 0 1.1rem; }
label { display: block; font-weight: 600; }
.hint { margin: .1rem 0 .3rem; color: var(--faint); font-size: .92rem; }
.problem { margin: .3rem 0 0; color: var(--danger); font-weight: 600; }
input, select {
  display: block; width: 100%; margin-top: .3rem; padding: .55rem .7rem;
  color: inherit; background: var(--ground); border: 1px solid var(--faint); border-radius: .4rem;
  font: inherit;
}
input[aria-invalid] { border-color: var(--danger); border-width: 2px; }
button, .button {
  display: inline-block; padding: .55rem 1.1rem; border: 1px solid var(--accent); border-radius: .4rem;
  background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; text-decoration: none;
  cursor: pointer;
}
button:hover, .button:hover { filter: brightness(1.1); }
button.quiet, .button.quiet { background: none; color: var(--accent); }
header button.quiet { padding: .3rem .8rem; }
button.danger, .button.danger { background: none; border-color: var(--danger); color: var(--danger); }
.next, .row { display: flex; flex-wrap: wrap; gap: .6rem; }
.row { align-items: stretch; }
.row > button { flex: none; }
.row > input { flex: 1 1 14rem; width: auto; min-width: 0; margin: 0; }
.email, .email span { display: inline-block; max-width: 100%; }
.status { margin: 2.2rem 0 -1.4rem; color: var(--faint); font-size: .92rem; font-weight: 600; }
.alert {
  padding: .8rem 1rem; background: var(--alert); border-left: .3rem solid var(--danger); border-radius: .3rem;
}
.notice {
  padding: .8rem 1rem; background: var(--kept); color: var(--on-kept); border-left: .3rem solid currentColor;
  border-radius: .3rem;
}
.choice { display: flex; align-items: center; gap: .6rem; margin: 0 0 1.1rem; }
.choice input { flex: none; width: 1.25rem; height: 1.25rem; margin: 0; }
.minted { border: 2px solid var(--accent); }
code { font: .92em ui-monospace, monospace; }
#token {
  display: block; min-width: 0; flex: 1 1 16rem; padding: .6rem .8rem; background: var(--ground); border: 1px dashed var(--faint);
  border-radius: .4rem; user-select: all;
}
/* Where there is little room, only screen readers read it. */
@media (max-width: 62rem) { .as { position: absolute; clip-path: inset(50%); } }
@media (max-width: 30rem) { .session { gap: .8rem; } }
${accountStyles}${tokenStyles}@media print {
  :root { color-scheme: light; }
  header nav, .session a, .session form, .skip { display: none; }
  main { padding-bottom: 0; }
}
`;
