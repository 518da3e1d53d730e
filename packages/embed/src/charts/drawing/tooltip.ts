import type { SizedContext, TooltipText } from '../frame/chart.ts';

/**
 * Returns the tooltip options of a chart. `textOf` returns the content for an ECharts event; null hides the tooltip.
 */
export const tooltipOf = <Drawn>(
  { theme, tooltipView }: SizedContext,
  textOf: (params: Drawn) => TooltipText | null,
): Record<string, unknown> => ({
  formatter: (params: Drawn) => {
    const text = textOf(params);
    return text === null ? '' : (tooltipView?.(text) ?? '');
  },
  renderMode: 'html',
  confine: true,
  transitionDuration: 0,
  backgroundColor: theme.tooltip.background,
  borderWidth: 0,
  padding: [theme.sizes.spacePx * 2, theme.sizes.spacePx * 2.5],
  textStyle: { color: theme.tooltip.text, fontSize: theme.tooltip.sizePx, fontFamily: theme.font.family },
  extraCssText: `border-radius:${theme.sizes.radius.largePx}px;box-shadow:${theme.popupShadow};opacity:${theme.tooltip.opacity};z-index:2`,
});
