import { css } from 'lit';

/**
 * Styles of tables. All rows have the same height. Header, first column and totals are sticky. Shadows mark edges
 * beyond which there is more content.
 */
export const tableStyles = css`
  .body.tabled {
    container-type: size;
    contain: strict;
  }
  .sheet {
    width: max-content;
    min-width: 100%;
  }
  .edges {
    position: sticky;
    top: 0;
    inset-inline-start: 0;
    z-index: 4;
    width: 100cqw;
    height: 0;
    pointer-events: none;
  }
  .edges::before,
  .edges::after {
    content: '';
    position: absolute;
    opacity: 0;
    transition: opacity 0.15s;
  }
  .edges::before {
    inset-inline: 0;
    top: calc(100cqh - 14px - var(--foot));
    height: 14px;
    background: linear-gradient(to top, color-mix(in srgb, var(--inlay-text) 16%, transparent), transparent);
  }
  .edges::after {
    inset-inline-end: 0;
    top: 0;
    width: 14px;
    height: 100cqh;
    background: linear-gradient(to left, color-mix(in srgb, var(--inlay-text) 16%, transparent), transparent);
  }
  .edges:dir(rtl)::after {
    background: linear-gradient(to right, color-mix(in srgb, var(--inlay-text) 16%, transparent), transparent);
  }
  .below .edges::before,
  .beside .edges::after {
    opacity: 1;
  }
  table {
    table-layout: fixed;
    border-collapse: separate;
    border-spacing: 0;
    font-variant-numeric: tabular-nums;
    line-height: var(--inlay-row-line);
  }
  th,
  td {
    box-sizing: border-box;
    height: var(--inlay-row);
    padding: calc((var(--inlay-row) - var(--inlay-row-line) - 2px) / 2) calc(var(--inlay-space) * 2);
    border-block-end: 1px solid var(--inlay-line);
    text-align: left;
    vertical-align: top;
    font-weight: normal;
    white-space: nowrap;
    overflow: hidden;
    text-overflow: ellipsis;
  }
  thead,
  tfoot {
    position: sticky;
    z-index: 3;
  }
  thead {
    top: 0;
  }
  tfoot {
    bottom: 0;
  }
  thead :is(th, td) {
    position: relative;
    background: var(--inlay-items);
    font-weight: 600;
    border-block-end-color: color-mix(in srgb, var(--inlay-text) 35%, var(--inlay-items));
  }
  thead tr > .group {
    text-align: center;
  }
  tfoot :is(th, td) {
    background: var(--inlay-items);
    font-weight: 600;
    border-block: 1px solid color-mix(in srgb, var(--inlay-text) 35%, var(--inlay-items));
    border-block-end-width: 0;
  }
  .subtotal :is(th, td) {
    font-weight: 600;
    background: color-mix(in srgb, var(--inlay-text) 4%, var(--inlay-items));
  }
  tr > .first {
    position: sticky;
    inset-inline-start: 0;
    z-index: 1;
    background-color: var(--inlay-items);
  }
  .moved tr > .first::after {
    content: '';
    position: absolute;
    inset-block: 0;
    inset-inline-end: 0;
    width: 1px;
    background: color-mix(in srgb, var(--inlay-text) 35%, var(--inlay-items));
  }
  tbody tr:hover > :is(th, td) {
    background-color: color-mix(in srgb, var(--inlay-text) 6%, var(--inlay-items));
  }
  th:has(> .stay) {
    overflow: clip;
  }
  .stay {
    position: sticky;
    top: calc(var(--head) + (var(--inlay-row) - var(--inlay-row-line) - 2px) / 2);
    overflow: hidden;
    text-overflow: ellipsis;
  }
  .number,
  .turned :is(th, td) {
    text-align: right;
  }
  .turned :is(th, td).number {
    text-align: left;
  }
  .bars {
    background-image: linear-gradient(var(--inlay-main), var(--inlay-main));
    background-size: calc(var(--bar) - 8px) 3px;
    background-position: left 4px bottom;
    background-repeat: no-repeat;
  }
  .bars:dir(rtl) {
    background-position: right 4px bottom;
  }
  .bars.below {
    background-image: linear-gradient(var(--inlay-negative), var(--inlay-negative));
  }
  .room td {
    padding: 0;
    border: 0;
  }
  td button,
  th button {
    display: block;
    width: calc(100% + 6px);
    padding: 0 2px;
    margin-inline: -3px;
    margin-block: -1px;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
    text-align: inherit;
    vertical-align: top;
  }
  td > .line {
    float: inline-start;
    fill: none;
    stroke: var(--inlay-main);
    stroke-width: 1.5;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  td > .line:dir(rtl) {
    transform: scaleX(-1);
  }
  tbody a,
  tbody .link {
    color: inherit;
    text-decoration: underline;
    text-decoration-color: var(--inlay-main);
    text-underline-offset: 2px;
  }
  th[aria-sort] button {
    font-weight: inherit;
    display: inline-flex;
    align-items: center;
    gap: var(--inlay-space);
    width: auto;
    max-width: calc(100% - 4px);
  }
  th[aria-sort].number button {
    flex-direction: row-reverse;
  }
  th[aria-sort] button::after {
    content: '';
    flex: none;
    width: 8px;
    height: 6px;
    background: currentColor;
    opacity: 0;
    clip-path: polygon(50% 0, 100% 100%, 0 100%);
  }
  th[aria-sort] button:is(:hover, :focus-visible)::after {
    opacity: 0.4;
  }
  th[aria-sort='ascending'] button::after,
  th[aria-sort='descending'] button::after {
    opacity: 1;
  }
  th[aria-sort='descending'] button::after {
    transform: scaleY(-1);
  }
  .edge {
    position: absolute;
    inset-block: 4px;
    inset-inline-end: 0;
    width: 7px;
    cursor: col-resize;
    touch-action: none;
    border-inline-end: 1px solid transparent;
  }
  tr:hover > th > .edge {
    border-color: var(--inlay-line);
  }
  .edge:is(:hover, :active) {
    border-color: var(--inlay-main);
    border-inline-end-width: 2px;
  }
  :is(.body, td, th) :focus-visible {
    outline-offset: -2px;
  }
`;
