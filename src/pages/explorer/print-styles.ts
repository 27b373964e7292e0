/** How the explorer looks on paper: what can only be used on a screen is left out, what is folded is not. */
export const printStyles = `
@media print {
  .views, .filters, .pager, .command, .request { display: none; }
  .beside { display: block; }
  .rows { font-size: 8.5pt; }
  .card { border-color: #999; break-inside: avoid; }
  .charts { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  details::details-content { content-visibility: visible; height: auto; }
  .chart-card details summary { display: none; }
  a { color: inherit; text-decoration: none; }
}
`;
