import { html, nothing, type TemplateResult } from 'lit';
import { type Words, refusal } from '../../locale/words.ts';
import type { Answer } from '../card-events.ts';

/** Renders the message of an item that shows no rows. */
const stateView = (text: string, details: TemplateResult | typeof nothing = nothing): TemplateResult =>
  html`<div class="state" role="status">${text}${details}</div>`;

export interface Retries {
  readonly ask: () => void;
  readonly load: () => void;
}

/** Renders a message if an item's query failed or the code of its chart failed to load. */
export function failureView(
  answer: Answer,
  missingPart: 'type' | 'file' | null,
  words: Words,
  retries: Retries,
): TemplateResult | null {
  const retryButton = (retry: () => void): TemplateResult =>
    html`<button type="button" @click=${retry}>${words.retry}</button>`;
  if (answer.kind === 'failed') return stateView(refusal(words, answer), retryButton(retries.ask));
  return missingPart === 'file' ? stateView(words.failed, retryButton(retries.load)) : null;
}

/** Renders the reason why an item shows no rows; null if it has rows. */
export function absenceView(
  answer: Answer,
  missingPart: 'type' | 'file' | null,
  words: Words,
  isLoaded: boolean,
): TemplateResult | null {
  if (answer.kind === 'nothing' || missingPart === 'type') return stateView(words.noItem);
  if (answer.kind === 'rows' && isLoaded) return answer.rows.length === 0 ? stateView(words.noData) : null;
  const isBusy = answer.kind === 'loading' && answer.isBusy === true;
  return stateView(isBusy ? words.busy : words.loading, html`<div class="bar"></div>`);
}
