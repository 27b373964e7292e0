/** How the notice and the overlay of the script look. */
export const liveStyles = `
.notice {
  position: fixed; inset-block-end: 1rem; inset-inline-end: 1rem; z-index: 1; max-width: min(26rem, calc(100vw - 2rem));
  padding: .45rem .9rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--raised);
  color: var(--text); box-shadow: 0 .2rem .8rem #0003; font-size: .9rem;
}
.notice:empty { visibility: hidden; }
.notice button { margin: .2rem 0 0; padding: .1rem .6rem; font-size: inherit; }
.overlay {
  width: min(60rem, calc(100vw - 2rem)); max-width: none; max-height: calc(100dvh - 4rem); margin-block: 2rem auto; padding: 0;
  border: 1px solid var(--line); border-block-start: .35rem solid var(--danger); border-radius: .6rem;
  background: var(--raised); color: var(--text); overflow: auto;
}
.overlay::backdrop { background: #0009; }
.overlay > * { margin: .8rem 1.2rem; }
.overlay > button { position: sticky; inset-block-start: .8rem; float: inline-end; padding: .25rem .9rem; }
.overlay h2 { font-size: 1.15rem; color: var(--danger); }
.overlay ol { padding: 0; list-style: none; }
.overlay li + li { margin-top: 1.2rem; padding-top: 1rem; border-top: 1px solid var(--line); }
.overlay li p { margin: 0 0 .3rem; }
.overlay .where { font-weight: 600; }
.overlay .what { white-space: pre-wrap; }
.overlay pre {
  margin: .4rem 0 0; padding: .6rem .8rem; overflow: auto; white-space: pre; overflow-wrap: normal;
  background: var(--ground); border: 1px solid var(--line); border-radius: .4rem;
  font: .85rem/1.5 ui-monospace, monospace; text-align: left;
}
@media print {
  .notice, .overlay { display: none; }
}
`;
