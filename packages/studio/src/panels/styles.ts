import { css } from 'lit';

/** Controls in the colours of the theme, for the editor and its panels. */
export const controlStyles = css`
  :host {
    --ink: var(--inlay-page-text, CanvasText);
    --quiet: var(--inlay-page-muted, GrayText);
    --paper: var(--inlay-background, Canvas);
    --edge: var(--inlay-line, color-mix(in srgb, currentColor 25%, transparent));
    --accent: var(--inlay-main, LinkText);
    color: var(--ink);
  }
  button,
  input,
  select,
  textarea {
    box-sizing: border-box;
    min-height: 36px;
    padding: 0 12px;
    border: 1px solid var(--edge);
    border-radius: 6px;
    background: var(--paper);
    color: var(--ink);
    font: inherit;
  }
  button {
    cursor: pointer;
  }
  button:disabled {
    cursor: default;
    color: var(--quiet);
    opacity: 0.7;
  }
  :is(button, input, select, textarea, summary):focus-visible {
    outline: 3px solid var(--accent);
    outline-offset: 2px;
  }
  input,
  select,
  textarea {
    width: 100%;
    min-width: 0;
    padding: 0 8px;
  }
  textarea {
    min-height: 84px;
    padding-block: 6px;
    resize: vertical;
  }
  input[type='checkbox'],
  input[type='radio'] {
    flex: none;
    width: 18px;
    min-height: 18px;
    margin: 3px;
  }
`;

export const panelStyles = css`
  ${controlStyles}
  :host {
    display: grid;
    gap: 10px;
  }
  :host([hidden]) {
    display: none;
  }
  h3 {
    margin: 0;
    font-size: inherit;
    font-weight: 600;
  }
  p {
    margin: 0;
    color: var(--quiet);
  }
  label {
    display: grid;
    gap: 2px;
    color: var(--quiet);
  }
  label.check {
    display: flex;
    gap: 6px;
    align-items: center;
    min-height: 28px;
    color: var(--ink);
  }
  .slot {
    display: grid;
    gap: 6px;
    padding: 8px;
    border: 1px solid var(--edge);
    border-radius: 6px;
  }
  .slot[data-over] {
    border-color: var(--accent);
    box-shadow: inset 0 0 0 1px var(--accent);
  }
  .slot[data-refused] {
    opacity: 0.5;
  }
  .entry {
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto auto auto;
    gap: 4px;
    align-items: center;
  }
  .entry > span {
    overflow-wrap: anywhere;
  }
  .entry button {
    min-width: 28px;
    min-height: 28px;
    padding: 0;
  }
  .entry select {
    grid-column: 1 / -1;
  }
  ul {
    display: grid;
    gap: 2px;
    max-height: 240px;
    margin: 0;
    padding: 0;
    overflow: auto;
    list-style: none;
  }
  li button {
    display: flex;
    gap: 8px;
    align-items: center;
    width: 100%;
    min-height: 30px;
    padding: 2px 8px;
    overflow-wrap: anywhere;
    text-align: start;
    cursor: grab;
  }
  .kind {
    flex: none;
    min-width: 24px;
    color: var(--quiet);
  }
`;
