import { html, nothing, type TemplateResult } from 'lit';
import type { Block, Span } from '../../charts/content/markdown.ts';
import type { Content } from '../../charts/frame/chart.ts';
import { tabsView, type TabActions } from './tabs-view.ts';

function spanView({ text, isBold, isItalic, isCode, href }: Span): TemplateResult {
  const lines = text.split('\n').flatMap((line, index) => (index === 0 ? [line] : [html`<br />`, line]));
  const unstyled = isCode ? html`<code>${lines}</code>` : html`${lines}`;
  const bold = isBold ? html`<strong>${unstyled}</strong>` : unstyled;
  const styledText = isItalic ? html`<em>${bold}</em>` : bold;
  return href === null ? styledText : html`<a href=${href} target="_blank" rel="noopener noreferrer">${styledText}</a>`;
}

function blockView(block: Block, level: 2 | 3): TemplateResult {
  if (block.kind === 'rule') return html`<hr />`;
  const spans = block.spans.map(spanView);
  switch (block.kind) {
    case 'heading':
      return html`<div
        role="heading"
        aria-level=${Math.min(6, level + block.level - 1)}
        class=${`h${Math.min(3, block.level)}`}
      >
        ${spans}
      </div>`;
    case 'entry':
      return html`<div role="listitem" class="entry" .style=${`margin-inline-start:${block.depth * 1.4}em`}>
        <span aria-hidden="true">${block.mark}</span><span>${spans}</span>
      </div>`;
    case 'quote':
      return html`<blockquote>${spans}</blockquote>`;
    case 'paragraph':
      return html`<p>${spans}</p>`;
  }
}

/** Renders content between charts, such as a text. `level` is the heading level of items. */
export function contentView(content: Content, level: 2 | 3, tabs: TabActions): TemplateResult | typeof nothing {
  switch (content.kind) {
    case 'text':
      return html`<div class=${`words ${content.align}`}>
        ${content.blocks.map((block) => blockView(block, level))}
      </div>`;
    case 'image':
      return html`<img
        class=${`picture ${content.align} ${content.isCover ? 'cover' : ''}`}
        src=${content.src}
        alt=${content.alt}
        loading="lazy"
        referrerpolicy="no-referrer"
      />`;
    case 'tabs':
      return tabsView(content.tabs, tabs);
    case 'line':
      return html`<hr class="divider" />`;
    case 'none':
      return nothing;
  }
}
