import { css, html, type TemplateResult } from 'lit';
import { refusal, type Words } from '../locale/words.ts';
import type { Failure } from '@inlay/client/transport';

/** What is said where no item can be shown. Without what the service says of it, it looks like the page around it. */
export const stateStyles = css`
  .state {
    display: grid;
    place-content: center;
    justify-items: center;
    gap: calc(var(--inlay-space) * 2);
    min-height: 160px;
    grid-column: 1 / -1;
    text-align: center;
    font: var(--inlay-font-size) var(--inlay-font-family);
    color: var(--inlay-page-muted);
    background: var(--inlay-background);
  }
  .state button {
    min-height: var(--inlay-control);
    padding: 0 calc(var(--inlay-space) * 3);
    font: inherit;
    color: var(--inlay-page-text);
    background: none;
    border: 1px solid;
    border-radius: var(--inlay-radius-medium);
    cursor: pointer;
  }
  :host([data-plain]),
  :host([data-plain]) * {
    background: none;
    color: inherit;
    font: inherit;
  }
`;

/** Why nothing can be shown, and a button to try again. */
export const problemView = (words: Words, problem: Failure, retry: () => void): TemplateResult =>
  html`<div class="state" role="alert">
    ${refusal(words, problem)}<button type="button" @click=${retry}>${words.retry}</button>
  </div>`;
