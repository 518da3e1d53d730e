import { chartWordsFor } from '../locale/chart-words.ts';
import { evolutionFigure, lastValue, valueSoFar } from './evolution/evolution.ts';
import type { FigureChart } from './frame/chart.ts';

export const chart: FigureChart = {
  kind: 'figure',
  type: 'conditional-number',
  figure: (frame, context) => {
    const figure = evolutionFigure(frame, context);
    const [measure, target] = [frame.slot('measure')[0], frame.slot('target')[0]];
    const [value, goal] = [valueSoFar(frame, measure), lastValue(frame, target)];
    if (target === undefined || value === null || goal === null || goal === 0) return figure;
    const isMet = value >= goal !== frame.settings.comparison.lowerIsBetter || value === goal;
    const { theme, formats } = context;
    return {
      ...figure,
      color: figure.color ?? (isMet ? theme.positive : theme.negative),
      target: {
        text: `${chartWordsFor(formats.locale).target} ${target.text(goal)}`,
        share: Math.max(0, value / goal),
      },
    };
  },
};
