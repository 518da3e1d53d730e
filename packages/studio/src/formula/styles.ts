import { css } from 'lit';

/** A formula with its columns as chips, the list of suggestions, and what is said about the formula. */
export const formulaStyles = css`
  section {
    display: grid;
    gap: 8px;
    padding: 8px;
    border: 1px solid var(--edge);
    border-radius: 6px;
  }
  .field {
    display: grid;
    gap: 4px;
  }
  .box {
    display: grid;
    position: relative;
    color: var(--ink);
    font:
      14px / 1.6 ui-monospace,
      'Cascadia Code',
      'DejaVu Sans Mono',
      monospace;
    text-align: left;
  }
  .box > * {
    grid-area: 1 / 1;
    box-sizing: border-box;
    width: 100%;
    min-height: 62px;
    margin: 0;
    padding: 8px;
    border: 1px solid transparent;
    font: inherit;
    letter-spacing: normal;
    tab-size: 4;
    text-align: left;
    overflow-wrap: anywhere;
    white-space: pre-wrap;
  }
  .box > textarea {
    position: relative;
    height: 100%;
    border-color: var(--edge);
    background: transparent;
    overflow: hidden;
    resize: none;
  }
  .box > textarea[aria-invalid='true'] {
    border-color: var(--inlay-negative, #b3261e);
  }
  .behind {
    color: transparent;
    pointer-events: none;
    user-select: none;
  }
  .marks b {
    border-radius: 4px;
    background: color-mix(in srgb, var(--accent) 22%, transparent);
    box-shadow: 0 0 0 1px color-mix(in srgb, var(--accent) 45%, transparent);
    font-weight: inherit;
  }
  .marks u {
    text-decoration: underline wavy var(--inlay-negative, #b3261e);
    text-decoration-skip-ink: none;
  }
  .read {
    margin: 0;
    color: var(--ink);
    font:
      14px / 1.6 ui-monospace,
      'Cascadia Code',
      'DejaVu Sans Mono',
      monospace;
    text-align: left;
    overflow-wrap: anywhere;
    white-space: pre-wrap;
  }
  ul[role='listbox'] {
    border: 1px solid var(--edge);
    border-radius: 6px;
    padding: 4px;
  }
  [role='option'] {
    display: flex;
    gap: 8px;
    box-sizing: border-box;
    align-items: center;
    justify-content: space-between;
    min-height: 34px;
    padding: 4px 8px;
    border-radius: 4px;
    color: var(--ink);
    cursor: pointer;
    overflow-wrap: anywhere;
  }
  [role='option'] small {
    flex: none;
    color: var(--quiet);
    font-size: 12px;
  }
  [role='option'][aria-selected='true'],
  [role='option'][aria-selected='true'] small {
    background: var(--accent);
    color: var(--inlay-on-main, Canvas);
  }
  .signature code {
    color: var(--ink);
  }
  .signature mark {
    background: none;
    color: inherit;
    font-weight: 700;
    text-decoration: underline;
  }
  .fault {
    color: var(--inlay-negative, #b3261e);
  }
  .value {
    color: var(--ink);
    font-weight: 600;
  }
  .value small {
    display: block;
    color: var(--quiet);
    font-weight: 400;
  }
  .row {
    display: flex;
    flex-wrap: wrap;
    gap: 6px;
  }
  .row button {
    padding: 0 10px;
  }
  .said {
    position: absolute;
    width: 1px;
    height: 1px;
    overflow: hidden;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  @media (forced-colors: active) {
    .behind {
      visibility: hidden;
    }
  }
`;
