import { docsOperationStyles } from './docs-operation-styles.js';

/**
 * The stylesheet of the API reference. Swagger UI has type sizes and colors of its own, for light and dark,
 * on several hundred selectors. All are reset, by the weight of the id, and the elements get those of the
 * other pages: 1rem for text, .92rem for code and what is secondary, one size for each level of heading.
 */
export const docsStylesheet = `
header, main { max-width: 64rem; }
#reference { margin-top: 1.5rem; overflow-wrap: anywhere; }
#reference * {
  color: inherit; background: none; border-color: var(--line); box-shadow: none; text-shadow: none; opacity: 1;
  font-family: inherit; font-size: inherit; font-weight: inherit; font-style: inherit; line-height: inherit;
  letter-spacing: normal; text-transform: none; min-width: 0; animation: none; transition: none;
}
#reference .swagger-ui { color: var(--text); font-size: 1rem; line-height: 1.55; }
#reference .wrapper, #reference .wrapper > .block { max-width: none; margin: 0; padding: 0; }
#reference svg { width: 1.1rem; height: 1.1rem; fill: currentColor; }
#reference svg * { fill: currentColor; }

#reference .info .title { font-size: 1.25rem; font-weight: 700; line-height: 1.3; }
#reference .info .main h2, #reference .info h2 { font-size: 1.25rem; font-weight: 700; }
#reference :is(h3, h3 > span) { font-size: 1.25rem; font-weight: 700; line-height: 1.3; }
#reference h3 { margin: 2.2rem 0 .8rem; padding: 0; }
#reference :is(h4, .tab-header .tab-item h4) { font-size: 1.05rem; font-weight: 700; margin: 1.2rem 0 .4rem; }
#reference :is(h5, h6, .example__section-header) { margin: .8rem 0 .3rem; font-size: 1rem; font-weight: 600; }
#reference :is(strong, b, th, dt, label, .parameter__name, .response-col_status) { font-weight: 600; }
#reference em { font-style: italic; }
#reference p { margin: .6rem 0; }
#reference :is(ul, ol) { margin: .6rem 0; padding-inline-start: 1.3rem; }
#reference a { color: var(--accent); }
#reference :is(code, pre, pre *, .parameter__type, .prop-type, .opblock-summary-path) {
  font-family: ui-monospace, monospace; font-size: .92rem; padding: 0;
}
#reference :is(h2, h3, h4) code { font-size: inherit; }
#reference :is(.parameter__type, .parameter__in, .prop-format, .opblock-tag small, .credential-note, .headers-note,
.example-description, .renderedMarkdown .hint, .response-control-media-type__accept-message) {
  color: var(--faint); font-size: .92rem; font-weight: 400; font-style: normal;
}

#reference .info { margin: 0; padding: 0; }
#reference .info :is(hgroup, .main) { margin: 0; }
#reference .info .title { margin: 2.2rem 0 .8rem; }
#reference .info .title > span { position: static; display: inline-block; margin-inline-start: .5rem; }
#reference .info .title :is(small, .version-stamp, pre) {
  position: static; display: inline; margin: 0; padding: 0; border: 0; background: none; color: var(--faint);
  font: 400 .92rem/1.3 inherit; font-family: inherit; font-size: .92rem; font-weight: 400;
}
#reference :is(.info hgroup .link, .info__license, .info__contact, .response-col_links, .models-control svg[hidden]) { display: none; }
#reference .scheme-container { margin: 0; padding: 0; }
#reference .scheme-container .schemes { display: block; padding: 0; }
#reference .auth-wrapper { display: flex; justify-content: flex-start; gap: .6rem; padding: 0; margin: 0; }

#reference :is(button, .btn) { min-height: 2rem; color: var(--accent); cursor: pointer; }
#reference .btn {
  display: inline-flex; align-items: center; justify-content: center; gap: .6rem; padding: .45rem 1.1rem;
  border: 1px solid var(--accent); border-radius: .4rem; font-weight: 600;
}
#reference .btn * { float: none; padding: 0; }
#reference .btn.execute { background: var(--accent); color: var(--on-accent); }
#reference .btn.cancel { border-color: var(--danger); color: var(--danger); }
#reference :is(input, select, textarea) {
  display: block; width: 100%; max-width: 24rem; min-height: 2.4rem; margin: .3rem 0 0; padding: .45rem .7rem;
  background-color: var(--ground); border: 1px solid var(--faint); border-radius: .4rem;
}
#reference select { appearance: auto; }
#reference textarea { max-width: none; min-height: 8rem; font-family: ui-monospace, monospace; }
#reference :is(input, textarea)::placeholder { color: var(--faint); }
#reference input.invalid, #reference .errors { border-color: var(--danger); color: var(--danger); }
#reference :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }

#reference :is(pre, .model-box, .highlight-code > .microlight) {
  margin: .4rem 0; padding: .55rem .7rem; background: var(--ground); border: 1px solid var(--line); border-radius: .4rem;
  min-height: 0; color: var(--text); font-size: .92rem; line-height: 1.45; white-space: pre-wrap; overflow-wrap: anywhere;
}
#reference .highlight-code { position: relative; }
#reference .highlight-code > .microlight { max-height: min(28rem, 60vh); overflow: auto; }
#reference .json-name { color: var(--accent); }
#reference :is(.copy-to-clipboard, .view-line-link) { display: none; }
#reference .highlight-code .download-contents {
  position: static; display: inline-flex; width: auto; height: auto; padding: .2rem .6rem; border: 1px solid var(--accent);
  border-radius: .4rem; font-size: .92rem; text-align: center;
}
${docsOperationStyles}`;
