/**
 * Adapts Swagger UI to the page and to phones: its tables have no layout for narrow screens, and its light
 * colours have too little contrast.
 */
export const docsStylesheet = `
header, main { max-width: 64rem; }
#reference { overflow-wrap: break-word; }
#reference main { max-width: none; padding: 0; }
.swagger-ui, .swagger-ui .info .title, .swagger-ui .opblock-tag,
.swagger-ui .opblock .opblock-summary-description,
.swagger-ui .btn, .swagger-ui label, .swagger-ui table thead tr th, .swagger-ui .response-col_status {
  font-family: inherit;
}
.swagger-ui .info p, .swagger-ui .info li, .swagger-ui .renderedMarkdown p, .swagger-ui .renderedMarkdown li,
.swagger-ui .opblock-tag small,
.swagger-ui .parameter__name, .swagger-ui .opblock-section-header h4, .swagger-ui h5,
.swagger-ui .opblock-summary-method {
  font-family: inherit;
}
.swagger-ui .wrapper, .swagger-ui .wrapper > .block > * { padding: 0; }
.swagger-ui .info { margin: 1.5rem 0; }
.swagger-ui .info .title { font-size: 1.5rem; }
.swagger-ui .info hgroup .link, .swagger-ui .info__license, .swagger-ui .response-col_links { display: none; }
.swagger-ui .markdown code, .swagger-ui .renderedMarkdown code { color: inherit; font-weight: 400; }
.swagger-ui .scheme-container { margin: 0; padding: 0 0 .5rem; background: none; box-shadow: none; }
.swagger-ui .auth-container:has(.sent-by-browser) .auth-btn-wrapper { display: none; }
.swagger-ui .opblock-description-wrapper ul { padding-left: 1.2rem; }
.swagger-ui .headers-wrapper { padding: .5rem 0 1rem; }
.swagger-ui .headers td, .swagger-ui .headers th {
  min-width: 0; padding: .3rem 1rem .3rem 0; vertical-align: top; font-family: inherit;
}
.swagger-ui .response .headers td.header-col {
  padding: .3rem 1rem .3rem 0; color: inherit; font: 400 .85rem/1.4 system-ui, sans-serif;
}
.swagger-ui .response .headers td.header-col:first-child { white-space: nowrap; font-weight: 600; }
html.dark-mode .swagger-ui, html.dark-mode .swagger-ui .scheme-container { background: none; border: 0; }
html:not(.dark-mode) .swagger-ui :is(.version, .version-stamp, .version-stamp .version,
.opblock-get .opblock-summary-method, .execute) {
  background: var(--accent);
}
html:not(.dark-mode) .swagger-ui .execute { border-color: var(--accent); }
html:not(.dark-mode) .swagger-ui .btn.authorize { border-color: var(--accent); }
html:not(.dark-mode) .swagger-ui .btn.authorize, html:not(.dark-mode) .swagger-ui .btn.authorize span {
  color: var(--accent);
}
html:not(.dark-mode) .swagger-ui .btn.authorize svg { fill: var(--accent); }
html:not(.dark-mode) .swagger-ui .try-out__btn { color: var(--danger); border-color: var(--danger); }
html:not(.dark-mode) .swagger-ui .parameter__in,
html:not(.dark-mode) .swagger-ui .response-control-media-type__accept-message,
html:not(.dark-mode) .swagger-ui .response-control-media-type__accept-message code { color: var(--faint); }
html:not(.dark-mode) .swagger-ui .download-contents { background: #555c66; }
@media (max-width: 48rem) {
  .swagger-ui .opblock-body table, .swagger-ui .opblock-body tbody, .swagger-ui .opblock-body tr,
  .swagger-ui .opblock-body td {
    display: block; width: auto; max-width: none; padding-left: 0; padding-right: 0;
  }
  .swagger-ui .opblock-body thead { display: none; }
  .swagger-ui .opblock-body .responses-inner, .swagger-ui .opblock-body .table-container { padding: .75rem; }
  .swagger-ui .opblock-body input, .swagger-ui .opblock-body select {
    width: 100%; max-width: none; margin-right: 0;
  }
  .swagger-ui .opblock-body .response-control-media-type, .swagger-ui .opblock-body .examples-select {
    max-width: 100%;
  }
  .swagger-ui .opblock-body .response-controls { flex-wrap: wrap; gap: .5rem; }
  .swagger-ui .opblock-body pre, .swagger-ui .opblock-body .highlight-code,
  .swagger-ui .opblock-body .curl-command {
    max-width: 100%; overflow-x: auto;
  }
  .swagger-ui .opblock .opblock-summary-method { min-width: 4rem; }
  .swagger-ui .opblock-tag { padding-inline: 0; flex-wrap: wrap; }
  .swagger-ui .opblock-tag small { order: 1; flex-basis: 100%; padding: 0; }
  .swagger-ui .opblock-summary-path-description-wrapper { flex-wrap: wrap; }
  .swagger-ui .opblock .opblock-summary-path { max-width: 100%; }
  .swagger-ui .dialog-ux .modal-ux { min-width: 0; width: 94vw; }
}
`;
