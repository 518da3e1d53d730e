import { css } from 'lit';

/** What the panel of filters has beside the other panels. */
export const filterStyles = css`
  form.slot {
    border-color: var(--accent);
  }
  h2 {
    margin: 0;
    font-size: inherit;
    font-weight: 600;
  }
  ul {
    max-height: none;
  }
  .inner {
    display: grid;
    gap: 6px;
    padding-inline-start: 8px;
    border-inline-start: 2px solid var(--edge);
  }
  .filter,
  .chosen li {
    display: flex;
    gap: 4px;
    align-items: center;
    color: var(--ink);
  }
  .filter > span,
  .chosen span {
    flex: 1;
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .filter small {
    display: block;
    color: var(--quiet);
    font-size: 12px;
  }
  .filter button,
  .chosen button {
    flex: none;
    justify-content: center;
    width: auto;
    min-width: 28px;
    min-height: 28px;
    padding: 0;
    cursor: pointer;
  }
  .or,
  .add {
    justify-self: start;
  }
  .or {
    min-height: 28px;
    padding: 0 8px;
  }
  .locked {
    border-style: dashed;
  }
  .row,
  .fields {
    display: grid;
    grid-template-columns: repeat(2, minmax(0, 1fr));
    gap: 8px;
  }
  .main {
    border-color: var(--accent);
    background: var(--accent);
    color: var(--inlay-on-main, Canvas);
  }
  .members {
    max-height: 200px;
    overflow: auto;
  }
  .members label {
    overflow-wrap: anywhere;
  }
  p.reach,
  p.days {
    font-size: 12px;
  }
  p.fault {
    color: var(--ink);
    font-weight: 600;
  }
  .names {
    color: var(--quiet);
  }
`;
