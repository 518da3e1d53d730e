import { css } from 'lit';

/** Date range pickers: presets, two fields and a calendar. */
export const datesStyles = css`
  .dates {
    display: flex;
    flex-wrap: wrap;
    gap: calc(var(--inlay-space) * 2) calc(var(--inlay-space) * 4);
  }
  .periods {
    flex: 0 1 auto;
    display: flex;
    flex-direction: column;
    gap: 2px;
  }
  .compared {
    flex: 1 0 100%;
    /* What is above says how wide it opens. */
    contain: inline-size;
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: var(--inlay-space);
    padding-block-start: 8px;
    border-block-start: 1px solid var(--inlay-line);
  }
  .compared span {
    flex: 1 0 100%;
    color: var(--inlay-muted);
    font-size: var(--inlay-small);
  }
  .month {
    flex: 1 1 250px;
    max-width: 300px;
    min-width: 0;
  }
  .ends {
    display: grid;
    grid-template-columns: 1fr 1fr;
    gap: calc(var(--inlay-space) * 2);
    margin-block-end: calc(var(--inlay-space) * 2);
  }
  .ends label {
    min-width: 0;
    color: var(--inlay-muted);
    font-size: var(--inlay-small);
  }
  .ends input {
    color: var(--inlay-text);
    font-size: var(--inlay-font-size);
  }
  .ends [aria-invalid='true'] {
    border-color: var(--inlay-negative);
  }
  .note.faulty {
    color: var(--inlay-negative);
  }
  .month-head {
    display: flex;
    align-items: center;
  }
  .month-head span {
    flex: 1;
    text-align: center;
    font-weight: 600;
  }
  .month-head button {
    display: grid;
    place-content: center;
    width: 32px;
  }
  .arrow:dir(rtl) {
    transform: scaleX(-1);
  }
  .days {
    width: 100%;
    table-layout: fixed;
  }
  .days th,
  .days td {
    padding: 0;
    border: 0;
    text-align: center;
  }
  .days thead th {
    position: static;
    background: none;
    color: var(--inlay-muted);
    font-size: var(--inlay-small);
    font-weight: normal;
  }
  .days .within {
    background: color-mix(in srgb, var(--inlay-main) 16%, transparent);
  }
  .days td button {
    width: 100%;
    margin: 0;
    padding: 0;
    text-align: center;
  }
  .days .other button {
    color: var(--inlay-muted);
  }
  .days [aria-current='date'] {
    border-color: var(--inlay-main);
  }
  .days .end button {
    background: var(--inlay-main);
    color: var(--inlay-on-main);
  }
  @media (max-width: 480px) {
    .periods {
      flex-direction: row;
      flex-wrap: wrap;
    }
    .month {
      max-width: none;
    }
    .periods button {
      border-color: var(--inlay-line);
    }
  }
`;
