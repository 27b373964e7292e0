/** How the cards of demo accounts and of endpoints look. */
export const accountStyles = `
.operations, .accounts {
  display: grid; grid-template-columns: repeat(auto-fill, minmax(min(18rem, 100%), 1fr)); gap: 1rem;
  margin: 1rem 0; padding: 0; list-style: none;
}
.operations { grid-template-columns: repeat(auto-fill, minmax(min(24rem, 100%), 1fr)); }
.operations .card, .accounts .card { min-width: 0; margin: 0; }
.account { display: flex; flex-direction: column; gap: .6rem; }
.account > * { margin: 0 !important; }
.account .purpose { color: var(--faint); font-size: .92rem; line-height: 1.45; }
.account .counts {
  display: grid; grid-template-columns: auto auto minmax(0, 1fr); gap: 0 1rem; padding: 0; list-style: none;
}
.account .counts li { color: var(--faint); font-size: .8rem; line-height: 1.3; }
.account .counts strong { display: block; color: var(--text); font-size: 1.15rem; line-height: 1.3; font-variant-numeric: tabular-nums; }
.account .credentials {
  display: flex; flex-wrap: wrap; gap: 0 .9rem; margin-top: auto !important; padding-top: .6rem; border-top: 1px solid var(--line);
  font-size: .88rem; color: var(--faint);
}
.account button { width: 100%; overflow-wrap: anywhere; padding: .35rem .6rem; font-size: .92rem; text-align: center; }
.account .state { font-weight: 600; padding-block: .4rem; }
@media (min-width: 62rem) {
  .pair:has(.demo) { display: grid; grid-template-columns: minmax(0, 22rem) minmax(0, 1fr); gap: 2.5rem; align-items: start; }
  .pair .demo h2 { margin-top: 1rem; }
  .pair .accounts { grid-template-columns: repeat(auto-fill, minmax(min(15rem, 100%), 1fr)); }
}
.others { margin: 1rem 0; max-width: 36rem; }
.operation { position: relative; }
.operation h3 { font-size: 1rem; font-weight: 600; }
.operation h3 a { text-decoration: none; }
.operation h3 a::after { content: ''; position: absolute; inset: 0; border-radius: .6rem; }
.operation h3 a:focus-visible { outline: none; }
.operation h3 a:focus-visible::after { outline: 3px solid var(--accent); outline-offset: 2px; }
.operation:hover { border-color: var(--accent); }
.operation:hover h3 a { text-decoration: underline; }
`;
