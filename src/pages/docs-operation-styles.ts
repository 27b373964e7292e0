/** The part of the stylesheet of the API reference about operations, tables, schemas and the dialog. */
export const docsOperationStyles = `
#reference .opblock-tag {
  display: flex; flex-wrap: wrap; align-items: baseline; gap: .2rem .8rem; border: 0; border-bottom: 1px solid var(--line);
}
#reference .opblock-tag > span { flex: none; max-width: 100%; }
#reference .opblock-tag small { flex: 1 1 12rem; padding: 0; }
#reference .opblock-tag button { padding: .4rem; }
#reference :is(.opblock, .models) {
  margin: .8rem 0; padding: 0; background: var(--raised); border: 1px solid var(--line); border-radius: .6rem;
}
#reference .opblock-summary { scroll-margin-top: .5rem; display: flex; align-items: center; gap: .3rem; padding: .5rem .8rem; border: 0; }
#reference .opblock-summary > button { flex: none; padding: .4rem; }
#reference .opblock-summary > .opblock-summary-control {
  display: flex; flex: 1 1 0; flex-flow: row wrap; align-items: baseline; gap: .2rem .8rem; padding: .3rem; color: var(--text);
  text-align: start;
}
#reference .opblock-summary-method { width: auto; padding: .1rem .5rem; border: 1px solid; border-radius: .3rem; color: var(--accent); font-weight: 700; font-size: .92rem; }
#reference .opblock-summary-path-description-wrapper {
  display: flex; flex: 1 1 14rem; flex-flow: row wrap; align-items: baseline; gap: .1rem .8rem; padding: 0;
}
#reference .opblock-summary-path { max-width: 100%; padding: 0; font-weight: 600; }
#reference .opblock-summary-path * { font: inherit; }
#reference .opblock-summary-description { flex: 1 1 16rem; padding: 0; color: var(--faint); font-size: .92rem; }
#reference .opblock-body > *, #reference .opblock-section > *, #reference .responses-wrapper > * { padding-inline: 1.1rem; }
#reference :is(.opblock-section, .responses-wrapper, .responses-inner > div, .opblock-description) { padding: 0; }
#reference :is(.opblock-description-wrapper, .opblock-description-wrapper > .opblock-description) { margin: 0; }
#reference .opblock-section-header {
  display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .4rem 1rem; min-height: 0; margin-top: 1rem;
  padding-block: .4rem; border-block: 1px solid var(--line);
}
#reference .opblock-section-header h4, #reference .opblock-title { margin: 0; }
#reference .opblock-section-header > label { display: flex; align-items: center; gap: .5rem; margin: 0; }
#reference :is(.tab-header, .tab-item) { display: flex; flex: 1 1 auto; padding: 0; margin: 0; }
#reference .tab-item h4::after { display: none; }
#reference .try-out { margin: 0; padding: 0; }
#reference .execute-wrapper, #reference .btn-group { display: flex; flex-wrap: wrap; gap: .6rem; margin: .8rem 0; padding: 0 1.1rem; }
#reference .btn-group .btn { flex: 0 1 auto; border-radius: .4rem; }
#reference .headers-note { margin: 0; padding: 0 1.1rem 1rem; }

#reference table { width: 100%; margin: 0; padding: 0; border-collapse: collapse; table-layout: auto; }
#reference :is(th, td) {
  width: auto; max-width: none; padding: .5rem 1rem .5rem 0; border: 0; border-top: 1px solid var(--line); text-align: start;
  vertical-align: top;
}
#reference :is(td, th):last-child { padding-inline-end: 0; }
#reference thead :is(th, td) { border-top: 0; color: var(--faint); font-size: .92rem; font-weight: 600; }
#reference :is(.parameters-col_name, .response-col_status) { width: 9rem; }
#reference .header-list :is(th, td) { width: 20%; }
#reference .header-list :is(th, td):nth-child(3) { width: 60%; }
#reference .parameters-col_description input { width: 100%; }
#reference td .renderedMarkdown > :first-child { margin-top: 0; }
#reference .parameter__name { margin: 0; }
#reference .parameter__name.required::after, #reference .parameter__name.required span {
  position: static; color: var(--danger); font-size: .92rem; font-weight: 400;
}
#reference .response-controls { display: flex; flex-wrap: wrap; gap: .5rem 1rem; margin: .6rem 0; padding: 0; }
#reference .response-control-media-type { margin: 0; padding: 0; }
#reference .response-control-media-type__title, #reference .examples__title { font-size: .92rem; }
#reference .tab { display: flex; gap: 1rem; margin: .6rem 0 0; padding: 0; list-style: none; }
#reference .tab li { padding: 0; }
#reference .tab li::after { display: none; }
#reference .tab button { padding: .2rem 0; border-bottom: 3px solid transparent; }
#reference .tab .active button { color: inherit; font-weight: 600; border-bottom-color: var(--accent); }
#reference .headerline { display: block; }

#reference :is(.models h4, .models h4 *) { margin: 0; }
#reference .models h4 { padding: .6rem 1.1rem; border: 0; }
#reference .models { padding: 0; }
#reference .models h4 button { display: flex; justify-content: space-between; width: 100%; color: var(--text); }
#reference :is(.model-container, .json-schema-2020-12) { margin: .6rem 1.1rem; padding: 0; border-radius: .4rem; }
#reference :is(.json-schema-2020-12 *, .model *) { font-size: .92rem; }
#reference .json-schema-2020-12__attribute--primary { color: var(--accent); }
#reference .json-schema-2020-12-property--required > * > * > .json-schema-2020-12__title::after { color: var(--danger); }
#reference .json-schema-2020-12__attribute--muted { color: var(--faint); }
#reference .json-schema-2020-12-keyword__value--secondary { color: var(--faint); }
#reference :is(.json-schema-2020-12-keyword__value, .json-schema-2020-12__constraint) { padding: 0; }

#reference .dialog-ux .backdrop-ux { background: #000; opacity: .6; }
#reference .dialog-ux .modal-ux {
  width: min(40rem, 94vw); min-width: 0; background: var(--raised); border: 1px solid var(--line); border-radius: .6rem;
}
#reference .modal-ux-header { display: flex; align-items: center; padding: .6rem 1.1rem; border-bottom: 1px solid var(--line); }
#reference .modal-ux-header h3 { flex: 1; margin: 0; }
#reference .modal-ux-content { max-height: 70vh; padding: .6rem 1.1rem 1.1rem; overflow: auto; }
#reference .auth-container { margin: 0; padding: .4rem 0; border: 0; border-bottom: 1px solid var(--line); }
#reference .auth-container:last-of-type { border: 0; }
#reference .auth-container:has(.sent-by-browser) .auth-btn-wrapper { display: none; }
#reference .auth-btn-wrapper { display: flex; flex-wrap: wrap; gap: .6rem; justify-content: flex-start; padding: .6rem 0 0; }
@media (max-width: 48rem) {
  #reference .opblock-tag small { flex-basis: 100%; order: 1; }
  #reference .opblock-tag button { margin-inline-start: auto; }
  #reference :is(.opblock-body, .response-headers) :is(table, tbody, tr, th, td) { display: block; width: auto; }
  #reference :is(.opblock-body, .response-headers) thead { display: none; }
  #reference :is(.opblock-body, .response-headers) :is(td, th) { padding: .15rem 0; border: 0; }
  #reference :is(.opblock-body, .response-headers) tbody > tr { padding: .6rem 0; border-top: 1px solid var(--line); }
  #reference .header-list tbody :is(th, td):nth-child(n) { width: auto; }
  #reference :is(input, select, textarea) { max-width: none; }
  #reference :is(.opblock-body > *, .opblock-section > *, .responses-wrapper > *) { padding-inline: .8rem; }
}
@media (forced-colors: active) {
  #reference .btn.execute { forced-color-adjust: none; background: ButtonText; color: ButtonFace; border-color: ButtonText; }
}
`;
