import { css } from 'lit';
import { controlStyles } from '../panels/styles.ts';

/** Controls of the editor: toolbar, side panel and messages, in the colours of the theme. */
export const editorStyles = css`
  ${controlStyles}
  :host {
    display: grid;
    grid-template: 'bar bar' auto 'message message' auto 'stage panel' 1fr / minmax(0, 1fr) 280px;
    color: var(--ink);
    background: var(--paper);
    font: 14px / 1.4 var(--inlay-font-family, system-ui, sans-serif);
  }
  :host([hidden]) {
    display: none;
  }
  .bar {
    grid-area: bar;
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px;
    padding: 8px 12px;
    border-block-end: 1px solid var(--edge);
  }
  .bar .wide {
    flex: 1;
    min-width: 0;
    color: var(--quiet);
    text-align: end;
  }
  .group {
    display: flex;
    gap: 4px;
  }
  button[aria-pressed='true'],
  button.main:not(:disabled) {
    border-color: var(--accent);
    background: var(--accent);
    color: var(--inlay-on-main, Canvas);
  }
  .message {
    grid-area: message;
    display: grid;
    gap: 8px;
    padding: 12px;
    border-block-end: 1px solid var(--edge);
  }
  .message p,
  .message h2 {
    margin: 0;
    font-size: inherit;
  }
  fieldset {
    display: grid;
    gap: 4px;
    margin: 0;
    padding: 8px;
    border: 1px solid var(--edge);
    border-radius: 6px;
  }
  label.choice {
    display: flex;
    gap: 8px;
    align-items: center;
    min-height: 28px;
  }
  label.choice input {
    min-height: 0;
  }
  .stage {
    grid-area: stage;
    min-width: 0;
    padding: 16px;
    overflow: visible;
  }
  .preview {
    margin-inline: auto;
  }
  .panel {
    grid-area: panel;
    display: grid;
    align-content: start;
    gap: 12px;
    padding: 16px 12px;
    border-inline-start: 1px solid var(--edge);
  }
  /* Beside the dashboard, it stays in sight and scrolls by itself. */
  :host(:not([narrow])) .panel {
    position: sticky;
    top: 0;
    align-self: start;
    box-sizing: border-box;
    min-height: min(100%, 100vh);
    max-height: 100vh;
    overflow: auto;
  }
  .panel h2 {
    margin: 0;
    overflow-wrap: anywhere;
    font-size: 16px;
  }
  .panel p {
    margin: 0;
    color: var(--quiet);
  }
  .fields {
    display: grid;
    grid-template-columns: repeat(2, minmax(0, 1fr));
    gap: 8px;
  }
  .fields label,
  .panel > label {
    display: grid;
    gap: 2px;
    color: var(--quiet);
  }
  details {
    display: grid;
    gap: 8px;
    padding-block-start: 8px;
    border-block-start: 1px solid var(--edge);
  }
  summary {
    margin-block-end: 8px;
    font-weight: 600;
    cursor: pointer;
  }
  .bar select {
    width: auto;
  }
  :host([narrow]) {
    grid-template: 'bar' auto 'message' auto 'stage' auto 'panel' auto / minmax(0, 1fr);
  }
  :host([narrow]) .panel {
    border-inline-start: 0;
    border-block-start: 1px solid var(--edge);
  }
  :host([narrow]) .stage {
    padding: 8px;
  }
`;
