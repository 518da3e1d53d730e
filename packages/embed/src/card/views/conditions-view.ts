import type { Item } from '@inlay/contract';
import { html, nothing, type TemplateResult } from 'lit';
import { conditionTexts } from '../../locale/condition-words.ts';
import type { Formats } from '../../locale/format.ts';
import { pageWordsFor } from '../../locale/page-words.ts';

/** Renders the filters of an item itself as a line of texts. */
export function conditionsView(item: Item, formats: Formats): TemplateResult | typeof nothing {
  const texts = conditionTexts(item, formats);
  if (texts.length === 0) return nothing;
  const entries = texts.map((text, index) => html`${index === 0 ? '' : ' · '}<span role="listitem">${text}</span>`);
  const label = pageWordsFor(formats.locale).filters;
  return html`<div
    class="conditions note line"
    role="list"
    part="filters"
    aria-label=${label}
    title=${texts.join(' · ')}
  >
    ${entries}
  </div>`;
}
