import type { SizedContext, TooltipText } from '../../charts/frame/chart.ts';

const cell = (text: string, style: string): HTMLElement => {
  const element = document.createElement('span');
  element.textContent = text;
  element.style.cssText = style;
  return element;
};

function dotOf(color: string | null): HTMLElement {
  const dot = cell('', 'width:8px;height:8px;border-radius:50%;align-self:center');
  if (color !== null) dot.style.background = color;
  return dot;
}

/** Renders a tooltip element. Data is inserted as text only, never as markup. */
export function tooltipView(
  { title, rows }: TooltipText,
  { theme, rightToLeft }: Pick<SizedContext, 'theme' | 'rightToLeft'>,
): HTMLElement {
  const box = document.createElement('div');
  box.dir = rightToLeft ? 'rtl' : 'ltr';
  box.style.cssText = `display:grid;grid-template-columns:auto minmax(0,1fr) auto auto;column-gap:${theme.sizes.spacePx * 2}px;row-gap:2px;max-width:320px;line-height:${theme.tooltip.linePx}px`;
  if (title !== '')
    box.append(cell(title, 'grid-column:1/-1;font-weight:600;white-space:normal;overflow-wrap:anywhere'));
  for (const { color, label, value, note = '', isTotal } of rows) {
    const weight = isTotal === true ? 'font-weight:600;' : '';
    box.append(
      dotOf(color),
      cell(label, `${weight}white-space:normal;overflow-wrap:anywhere;min-width:0`),
      cell(value, `${weight}text-align:end;white-space:nowrap;font-variant-numeric:tabular-nums`),
      cell(note, 'text-align:end;white-space:nowrap;opacity:0.75;font-variant-numeric:tabular-nums'),
    );
  }
  return box;
}
