import { evolutionFigure } from './evolution/evolution.ts';
import type { FigureChart } from './frame/chart.ts';

export const chart: FigureChart = { kind: 'figure', type: 'evolution-number', figure: evolutionFigure };
