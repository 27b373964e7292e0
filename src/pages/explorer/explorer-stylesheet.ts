import { chartStyles } from './chart-styles.js';
import { liveStyles } from './live-styles.js';
import { paletteStyles } from './palette.js';
import { printStyles } from './print-styles.js';
import { tableStyles } from './table-styles.js';

/** The stylesheet of the explorer, besides that of all pages. */
export const explorerStylesheet = `
.unseen {
  position: absolute; width: 1px; height: 1px; margin: -1px; padding: 0; border: 0; overflow: hidden;
  clip-path: inset(50%); white-space: nowrap;
}
h1 { margin-block: 1.3rem .2rem; font-size: 1.7rem; }
.lead { margin: 0 0 1.2rem; font-size: 1rem; color: var(--faint); }
.views {
  gap: 0 1.5rem; margin-top: .6rem; border-bottom: 1px solid var(--line);
}
.views a { padding: .55rem 0; color: var(--text); text-decoration: none; border-bottom: 3px solid transparent; }
.views a:hover { border-bottom-color: var(--line); }
.views a[aria-current] { font-weight: 600; border-bottom-color: var(--accent); }
@media (min-width: 23rem) and (max-width: 30rem) {
  .views {
    display: grid; grid-template-columns: repeat(4, auto); align-items: end; justify-content: space-between;
    gap: 0 .7rem; font-size: .88rem;
  }
}
.note {
  margin: 0 0 1rem; padding: .6rem .9rem; border-left: .2rem solid var(--accent); background: var(--raised);
  font-size: .9rem;
}
.none { color: var(--faint); font-style: italic; }
.figure, .count, .total, .numbers td, .place { font-variant-numeric: tabular-nums; }
code, pre { overflow-wrap: anywhere; }
summary { cursor: pointer; color: var(--accent); }
.state-card { max-width: 44rem; }
.state-card p { margin: .8rem 0; }
.state-card h2 { margin-top: 0; }

.filters { display: grid; grid-template-columns: minmax(0, 1fr); gap: .5rem; margin: 0 0 1rem; }
.filter { display: flex; flex-wrap: wrap; align-items: baseline; gap: .25rem .9rem; margin: 0; }
.filter > .key { min-width: 4.5rem; font-weight: 400; }
.choices { display: flex; flex-wrap: wrap; align-items: center; gap: .3rem .4rem; min-width: 0; max-width: 100%; }
.choices a, .sizes a, .sizes .chosen {
  padding: .1rem .65rem; border: 1px solid var(--line); border-radius: 1rem; color: var(--text);
  background: var(--raised); font-size: .9rem; text-decoration: none;
}
.choices a:hover, .sizes a:hover { border-color: var(--accent); }
.choices a[aria-current], .sizes .chosen {
  border-color: var(--accent); background: var(--accent); color: var(--on-accent); font-weight: 600;
}
.filter select, .filter input:not([type=hidden]) {
  width: auto; max-width: min(24rem, 100%); margin: 0; padding: .25rem .5rem; font-size: .9rem;
}
.filter button { padding: .2rem .8rem; font-size: .9rem; }
.pager {
  display: flex; flex-wrap: wrap; justify-content: space-between; gap: .5rem 2rem; margin: 1.2rem 0;
  font-size: .92rem;
}
.pager p { display: flex; flex-wrap: wrap; align-items: center; gap: .3rem 1rem; margin: 0; }
.pager .off { color: var(--faint); }
.pager .place { font-weight: 600; }
.sizes { gap: .3rem .4rem !important; }

.beside { display: grid; gap: 2rem; grid-template-columns: minmax(0, 1fr); align-items: start; }
.request {
  padding: 1rem 1.1rem; background: var(--raised); border: 1px solid var(--line); border-radius: .6rem;
  font-size: .9rem; min-width: 0;
}
.request h2 { margin: 0 0 .5rem; font-size: 1.05rem; }
.request h3 { margin: 1.1rem 0 .35rem; font-size: .9rem; }
.request .hint { margin: .4rem 0; font-size: .85rem; }
.request pre {
  margin: 0; padding: .55rem .7rem; background: var(--ground); border: 1px solid var(--line); border-radius: .4rem;
  white-space: pre-wrap; font-size: .85rem; line-height: 1.45;
}
.request code { font-size: inherit; }
.request .command { user-select: all; }
.request .json { max-height: min(28rem, 45vh); overflow: auto; }
.request details { margin-top: .6rem; }
@media (min-width: 75rem) {
  .beside { grid-template-columns: minmax(0, 1fr) 22rem; }
  .request { position: sticky; top: 1rem; }
}
@media (forced-colors: active) {
  .views a:not([aria-current]) { border-bottom-color: Canvas; }
  .choices a[aria-current], .sizes .chosen { border-width: 3px; }
}
${tableStyles}${chartStyles}${paletteStyles}${liveStyles}${printStyles}`;
