import { css, html, type TemplateResult } from 'lit';
import { refusal, type Words } from '../locale/words.ts';
import type { Failure } from '@inlay/client/transport';

/**
 * Style of the message that is shown if no item can be shown. If the service sent no appearance, the message has the
 * style of the page.
 */
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

export const problemView = (words: Words, problem: Failure, retry: () => void): TemplateResult =>
  html`<div class="state" role="alert">
    ${refusal(words, problem)}<button type="button" @click=${retry}>${words.retry}</button>
  </div>`;
