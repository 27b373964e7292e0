/** How the list of API tokens looks: a compact table, and on narrow screens a card for each token. */
export const tokenStyles = `
.tokens { width: 100%; border-collapse: collapse; font-size: .88rem; line-height: 1.4; }
.tokens th, .tokens td { padding: .5rem 1rem .5rem 0; text-align: start; vertical-align: baseline; }
.tokens tr > :last-child { padding-right: 0; }
.tokens thead th { border-bottom: 1px solid var(--faint); color: var(--faint); font-size: .82rem; font-weight: 600; white-space: nowrap; }
.tokens tbody tr { border-bottom: 1px solid var(--line); }
.tokens tbody th { width: 40%; font-weight: 600; overflow-wrap: anywhere; }
.tokens td, .tokens time { white-space: nowrap; font-variant-numeric: tabular-nums; }
.tokens .label { display: none; }
.tokens .over :is(th, td, code) { color: var(--faint); font-weight: 400; }
.tokens .over th { text-decoration: line-through; }
.tokens .small { margin-inline-start: .6rem; padding: .1rem .6rem; font-size: .82rem; }
@media (min-width: 44rem) {
  .mint { display: grid; grid-template-columns: 1fr 12rem auto; gap: 0 1rem; align-items: start; }
  .mint h2 { grid-column: 1 / -1; }
  .mint .field { display: flex; flex-direction: column; margin: 0; }
  .mint .hint { order: 1; margin: .3rem 0 0; }
  .mint .problem { order: 2; }
  .mint select { height: 2.8rem; }
  .mint input { height: 2.8rem; }
  .mint button { height: 2.8rem; margin: 1.85rem 0 0; }
}
@media (max-width: 62rem) {
  .tokens, .tokens tbody, .tokens tr, .tokens th, .tokens td { display: block; }
  .tokens thead { display: none; }
  .tokens tbody tr {
    margin: 0 0 .8rem; padding: .8rem 1rem; background: var(--raised); border: 1px solid var(--line); border-radius: .6rem;
  }
  .tokens tbody tr.over { background: none; border-style: dashed; }
  .tokens tbody th { width: auto; padding: 0 0 .3rem; font-size: 1rem; }
  .tokens td { display: flex; justify-content: space-between; gap: 1rem; padding: .15rem 0; white-space: normal; }
  .tokens td code { overflow-wrap: anywhere; white-space: normal; }
  .tokens .label { display: inline; color: var(--faint); white-space: nowrap; }
  .tokens .value { text-align: end; }
}
`;
