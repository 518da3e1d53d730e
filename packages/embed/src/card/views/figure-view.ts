import { html, nothing, svg, type TemplateResult } from 'lit';
import type { Change, Figure } from '../../charts/frame/chart.ts';
import type { Words } from '../../locale/words.ts';

function line({ line: points }: Figure): TemplateResult | typeof nothing {
  const values = points.flatMap(({ value }) => value ?? []);
  if (values.length < 3) return nothing;
  const [min, max] = [Math.min(...values), Math.max(...values)];
  const places = values.map((value, index) => {
    const y = 37 - ((value - min) / Math.max(max - min, Number.EPSILON)) * 34;
    return `${((index / (values.length - 1)) * 100).toFixed(2)},${y.toFixed(2)}`;
  });
  return html`<svg viewBox="0 0 100 40" preserveAspectRatio="none" aria-hidden="true">
    ${svg`<polygon points=${`0,40 ${places.join(' ')} 100,40`} fill="var(--inlay-main)" opacity="0.12"></polygon>
    <polyline points=${places.join(' ')} fill="none" stroke="var(--inlay-main)" stroke-width="2" vector-effect="non-scaling-stroke" stroke-linejoin="round"></polyline>`}
  </svg>`;
}

const arrows = { up: '▲', down: '▼', flat: '■' } as const satisfies Record<Change['direction'], string>;

const changeView = ({ text, direction, tone, against }: Change, words: Words): TemplateResult =>
  html`<span class="change">
    <span class=${tone}
      ><span aria-hidden="true">${arrows[direction]}</span> <span class="hidden">${words.change}</span>
      <bdi>${text}</bdi></span
    >
    ${against === '' ? nothing : html`<span class="note">${against}</span>`}
  </span>`;

const targetView = ({ text, share }: NonNullable<Figure['target']>, color: string): TemplateResult =>
  html`<div class="target">
    <div class="track"><div .style=${`width:${Math.min(100, share * 100).toFixed(1)}%;background:${color}`}></div></div>
    <span class="note">${text}</span>
  </div>`;

/**
 * Renders a figure. If there is too little space, first the line and then the notes are hidden, but never the number.
 */
export const figureView = (figure: Figure, words: Words): TemplateResult => {
  const color = figure.color ?? 'var(--inlay-main)';
  return html`<div
    class=${figure.target === null ? 'figure' : 'figure aimed'}
    .style=${`--digits:${Math.max(4, figure.text.length)}`}
  >
    <strong .style=${figure.color === null ? '' : `color:${color}`} title=${figure.text}
      ><span class="whole">${figure.text}</span><span class="short" aria-hidden="true">${figure.short}</span></strong
    >
    ${figure.label === '' ? nothing : html`<span class="note period">${figure.label}</span>`}
    ${figure.change === null ? nothing : changeView(figure.change, words)}
    ${figure.target === null ? nothing : targetView(figure.target, color)} ${line(figure)}
  </div>`;
};
