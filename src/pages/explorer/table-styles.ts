/** How tables of rows look: columns on wide screens, a card for each row on narrow ones. */
export const tableStyles = `
.rows, .details { width: 100%; border-collapse: collapse; font-size: .9rem; line-height: 1.4; text-align: start; }
.rows { table-layout: fixed; }
.rows th, .rows td, .details th, .details td { padding: .6rem .9rem .6rem 0; vertical-align: top; text-align: start; font-weight: 400; }
.rows > :is(thead, tbody) > tr > :last-child, .details tr > :last-child { padding-right: 0; }
.rows thead th, .details thead th {
  padding-block: .35rem; border-bottom: 2px solid var(--line); color: var(--faint); font-size: .85rem; font-weight: 600;
}
.rows tbody { border-bottom: 1px solid var(--line); break-inside: avoid; }
.rows .below td { padding-top: 0; }
.datum { overflow-wrap: anywhere; }
.datum + .datum { margin-top: .1rem; }
.key { color: var(--faint); font-size: .82rem; }
.datum.first > .value { font-size: 1rem; font-weight: 600; }
.datum.first :is(code, .at) { font-weight: 400; font-size: .82rem; }
.datum:not(.first) > .value { display: inline-block; max-width: 100%; }
.rows .below .datum > .value, .rows .datum > .value:has(time) { display: inline; }
.below .datum > .key { margin-inline-end: .5rem; font-weight: 600; }
.part { display: inline-block; max-width: 100%; margin-inline-end: 1.1rem; overflow-wrap: anywhere; }
.at { display: inline-block; color: var(--faint); font-size: .82rem; }
.links { display: flex; flex-wrap: wrap; gap: .1rem .9rem; margin: .4rem 0 0; }
.excerpt {
  margin: .25rem 0 0; padding: .5rem .7rem; background: var(--raised); border: 1px solid var(--line); border-radius: .4rem;
  font: .85em/1.45 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere;
}
.severity { display: inline-flex; align-items: center; gap: .45rem; white-space: nowrap; }
.severity rect { stroke: currentColor; fill: none; }
.severity .filled { fill: currentColor; }
.severity svg { overflow: visible; }
.severity-critical { color: var(--danger); }
.severity-low { color: var(--faint); }
.state {
  display: inline-block; padding: 0 .5rem; border: 1px solid var(--line); border-radius: .3rem;
  background: var(--raised); font-size: .9rem; font-weight: 600; overflow-wrap: anywhere;
}
.details th { width: 9.5rem; }
.details td.meaning { width: 40%; color: var(--faint); font-size: .85rem; }
.details tbody tr { border-bottom: 1px solid var(--line); }
.details td { overflow-wrap: anywhere; }
@media (min-width: 48.01rem) {
  .datum.first > .key { display: none; }
  .findings col:nth-child(1) { width: 24%; }
  .findings col:nth-child(2) { width: 24%; }
  .findings col:nth-child(3) { width: 17%; }
  .findings col:nth-child(4) { width: 14%; }
  .prs col:nth-child(1) { width: 22%; }
  .prs col:nth-child(2) { width: 28%; }
  .prs col:nth-child(3) { width: 15%; }
  .prs col:nth-child(4) { width: 14%; }
  .repos col:nth-child(1) { width: 30%; }
  .repos col:nth-child(2) { width: 24%; }
  .repos col:nth-child(3) { width: 24%; }
}
@media (max-width: 48rem) {
  .rows, .rows tbody, .rows tr, .rows th, .rows td { display: block; }
  .rows thead, .rows colgroup { display: none; }
  .rows tbody {
    margin: 0 0 1rem; padding: .7rem .9rem; background: var(--raised); border: 1px solid var(--line); border-radius: .6rem;
  }
  .rows th, .rows td { padding: 0 0 .45rem; }
  .datum { display: grid; grid-template-columns: 7.5rem minmax(0, 1fr); gap: 0 .6rem; align-items: baseline; }
  .rows td .datum.first > .value { font-size: inherit; font-weight: 400; }
  .below .datum { display: block; }
  .rows th > .datum.first { display: block; }
  .rows th > .datum.first > .key { display: none; }
  .excerpt { background: var(--ground); }
  .details, .details tbody, .details tr, .details td, .details th { display: block; width: auto; }
  .details thead { display: none; }
  .details tr { padding-block: .5rem; }
  .details th, .details td { padding: 0; }
  .details td.meaning { width: auto; }
}
`;
