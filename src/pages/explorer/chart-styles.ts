/** How the overview looks: its tiles, charts and tables of numbers. */
export const chartStyles = `
.tiles {
  display: grid; grid-template-columns: repeat(auto-fit, minmax(10.5rem, 1fr)); gap: 1rem; margin: 1.2rem 0; padding: 0;
  list-style: none;
}
.tile { margin: 0; }
.tile a { display: block; color: inherit; text-decoration: none; }
.tile a:hover .name { text-decoration: underline; }
.tile .count { display: block; font-size: 2.1rem; font-weight: 600; line-height: 1.15; }
.tile .name { font-weight: 600; }
.tile .hint { display: block; margin-top: .2rem; font-size: .85rem; line-height: 1.4; }
.charts { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem; margin-bottom: 1rem; }
@media (min-width: 62rem) { .charts { grid-template-columns: repeat(2, minmax(0, 1fr)); } }
.chart-card { display: flex; flex-direction: column; margin: 0; min-width: 0; }
.chart-card h2 { margin: 0 0 .2rem; font-size: 1.1rem; }
.chart-card .hint { margin: 0 0 .9rem; font-size: .88rem; line-height: 1.45; }
.chart-card details { margin-top: .8rem; font-size: .9rem; }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; margin: 0 0 .7rem; padding: 0; list-style: none; font-size: .88rem; }
.legend svg { vertical-align: -1px; }
.chart { display: block; overflow: visible; }
.chart text { fill: var(--text); font-size: .88rem; }
.chart .total { font-weight: 600; }
.chart rect { stroke: var(--raised); stroke-width: 1px; }
.track { fill: var(--ground); }
.grid { stroke: var(--line); }
.grid:first-of-type { stroke: var(--faint); }
.plot { display: flex; gap: .6rem; margin-top: auto; padding-top: .6rem; }
.plot .chart { flex: 1 1 0; width: 0; min-width: 0; }
.scale {
  display: flex; flex-direction: column; justify-content: space-between; height: 180px; flex: none; text-align: end;
  color: var(--faint); font-size: .82rem; line-height: 0; font-variant-numeric: tabular-nums;
}
.numbers { width: 100%; border-collapse: collapse; font-size: .88rem; }
.numbers th, .numbers td { padding: .28rem 0 .28rem .6rem; border-bottom: 1px solid var(--line); text-align: end; font-weight: 400; }
.numbers th:first-child { padding-left: 0; text-align: start; }
.numbers thead th { color: var(--faint); overflow-wrap: normal; font-size: .82rem; }
.bars { table-layout: fixed; }
.bars .name { width: 42%; }
.bars .number { width: 3.2rem; }
.bars th { line-height: 1.35; overflow-wrap: anywhere; }
.bars svg { display: block; }
.bars tr:last-child > * { border-bottom: 0; }
@media (forced-colors: active) {
  .chart text { fill: CanvasText; }
  .chart rect { stroke: Canvas; }
  .track { fill: Canvas; }
  .grid { stroke: GrayText; }
}
@media (max-width: 30rem) {
  .tiles { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: .7rem; }
  .tile, .chart-card { padding-inline: .9rem; }
  .numbers thead th { font-size: .72rem; }
  .numbers th, .numbers td { padding-left: .3rem; }
}
@media (max-width: 22rem) {
  .tile .name { font-size: .88rem; overflow-wrap: anywhere; }
  .numbers thead th { overflow-wrap: anywhere; }
}
`;
