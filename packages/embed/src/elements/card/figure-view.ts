import { html, nothing, svg, type TemplateResult } from 'lit';
import type { Figure } from '../../charts/drawing/chart.ts';
import type { Words } from '../../locale/words.ts';

function line({ line: points }: Figure): TemplateResult | typeof nothing {
  const values = points.flatMap(({ value }) => value ?? []);
  if (values.length < 3) return nothing;
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const places = values.map((value, index) => {
    const y = 38 - ((value - least) / Math.max(most - least, Number.EPSILON)) * 36;
    return `${((index / (values.length - 1)) * 100).toFixed(2)},${y.toFixed(2)}`;
  });
  return html`<svg viewBox="0 0 100 40" preserveAspectRatio="none" aria-hidden="true">
    ${svg`<polyline points=${places.join(' ')} fill="none" stroke="var(--inlay-main)" stroke-width="2" vector-effect="non-scaling-stroke" stroke-linejoin="round"></polyline>`}
  </svg>`;
}

/** A figure in the page. */
export const figureView = (figure: Figure, words: Words): TemplateResult => html`
  <div class="figure">
    <strong>${figure.text}</strong>
    <span class="note">${figure.label}</span>
    ${
      figure.change === null
        ? nothing
        : html`<span>
            <span aria-hidden="true">${figure.change.flat ? '■' : figure.change.rising ? '▲' : '▼'}</span>
            <span class="hidden">${words.change}</span>
            <bdi>${figure.change.text}</bdi> <span class="note">(${figure.change.against})</span>
          </span>`
    }
    ${line(figure)}
  </div>
`;
