import { CustomChart } from 'echarts/charts';
import { TooltipComponent } from 'echarts/components';
import type { EChartsCoreOption } from 'echarts/core';
import { aggregationOf } from '@inlay/contract';
import { chartWordsFor } from '../locale/chart-words.ts';
import { baseOption, markLater } from './drawing/base.ts';
import { tooltipOf } from './drawing/tooltip.ts';
import { valueScale, type ValueScale } from './drawing/value-scale.ts';
import type { SizedContext, TooltipRow } from './frame/chart.ts';
import { isChosen } from './frame/chosen.ts';
import type { Field, Frame, Row } from './frame/frame.ts';
import { areaOn, groundOf, landOn, still, type Ground } from './map/ground.ts';
import type { Level } from './map/map-level.ts';
import { mapChart } from './map/map-chart.ts';
import type { Place, Places } from './map/places.ts';
import { scaleOn, scalePx } from './map/scale-view.ts';
import type { Shape } from './map/shapes.ts';

/** An area of the map and its rows. An area has several rows if different members name it. */
interface Area {
  readonly shape: Shape;
  readonly rows: readonly Row[];
  readonly value: number;
}

const additive = ['sum', 'count'];

const addsUp = ({ placed: { content } }: Field): boolean =>
  content === null || (content.columnId !== null && additive.includes(aggregationOf(content)));

/**
 * Groups rows by area. The value of an area is the sum of its numbers if the measure can be summed, otherwise the
 * number of its first row.
 */
function areasOf(places: readonly Place[], measure: Field): readonly Area[] {
  const byShape = new Map<Shape, Row[]>();
  for (const { shape, row } of places) {
    if (shape === null || measure.number(row[measure.index]) === null) continue;
    const rows = byShape.get(shape);
    if (rows === undefined) byShape.set(shape, [row]);
    else rows.push(row);
  }
  return [...byShape].map(([shape, rows]) => {
    const numbers = rows.map((row) => measure.number(row[measure.index]) ?? 0);
    return {
      shape,
      rows,
      value: addsUp(measure) ? numbers.reduce((sum, number) => sum + number, 0) : (numbers[0] ?? 0),
    };
  });
}

function tooltipRows(
  { rows, value }: Area,
  fill: string,
  geo: Field,
  measure: Field,
  context: SizedContext,
): readonly TooltipRow[] {
  const [row = [], ...otherRows] = rows;
  if (otherRows.length === 0) return [{ color: fill, label: measure.label, value: measure.text(row[measure.index]) }];
  const rowTexts = rows.map((row) => ({
    color: null,
    label: geo.text(row[geo.index]),
    value: measure.text(row[measure.index]),
  }));
  const totalLabel = chartWordsFor(context.formats.locale).total;
  return [
    ...rowTexts,
    ...(addsUp(measure)
      ? [{ color: fill, label: totalLabel, value: measure.text(value), isTotal: true as const }]
      : []),
  ];
}

/**
 * Returns the series of the areas and of the land around them. `topPx` is the space for the colour scale above the map.
 */
function areaSeries(
  areas: readonly Area[],
  { fill }: ValueScale,
  frame: Frame,
  context: SizedContext,
  ground: Ground,
  level: Level,
  topPx: number,
): readonly Record<string, unknown>[] {
  const { chosen = null, theme } = context;
  const emphasis = { style: { stroke: theme.text, lineWidth: 1.5 }, z2: 20 };
  const areaElements = areas.map(({ shape, rows, value }) => {
    const isDim = chosen !== null && !rows.some((row) => isChosen(frame, row, chosen));
    return areaOn(ground, shape, { fill: fill(value), ...(isDim ? { opacity: 0.35 } : {}) });
  });
  const belowTop = (element: Record<string, unknown>): Record<string, unknown> =>
    topPx === 0 ? element : { type: 'group', y: topPx, children: [element] };
  // Areas that are not selected are translucent, so the land below them is drawn too.
  const coveredShapes = new Set(chosen === null ? areas.map(({ shape }) => shape) : []);
  return [
    still(belowTop(landOn(ground, level, coveredShapes))),
    {
      type: 'custom',
      coordinateSystem: 'none',
      data: areas.map(({ value, rows }) => ({ value, mark: markLater(frame.dimensions, rows[0] ?? []) })),
      renderItem: ({ dataIndex }: { dataIndex: number }) => {
        const area = areaElements[dataIndex] ?? null;
        return area === null ? null : belowTop({ ...area, emphasis });
      },
    },
  ];
}

function optionOf(frame: Frame, context: SizedContext, level: Level, { placed }: Places): EChartsCoreOption {
  const [geo] = frame.slot('geo');
  const [measure] = frame.measures;
  const areas = measure === undefined ? [] : areasOf(placed, measure);
  const values = areas.map(({ value }) => value);
  const scale = valueScale(frame, context, values, { weakest: 0.22, isZero: false });
  const { legend } = frame.settings;
  const hasScale = scale.stops.length > 0 && legend !== 'none';
  const isAbove = hasScale && legend === 'top';
  const ground = groundOf(placed, context, { belowPx: hasScale ? scalePx : 0, share: 0.06 });
  const write = (value: number): string => measure?.short(value) ?? String(value);
  return {
    ...baseOption(context),
    tooltip: tooltipOf(context, ({ dataIndex }: { dataIndex: number }) => {
      const area = areas[dataIndex];
      if (area === undefined || geo === undefined || measure === undefined) return null;
      const title = geo.text(area.rows[0]?.[geo.index]);
      return { title, rows: tooltipRows(area, scale.fill(area.value), geo, measure, context) };
    }),
    series: [
      ...areaSeries(areas, scale, frame, context, ground, level, isAbove ? scalePx : 0),
      ...(hasScale ? [still(scaleOn(scale, write, context, isAbove ? 0 : ground.heightPx))] : []),
    ],
  };
}

/** A map of areas coloured by a measure. */
export const chart = mapChart(
  {
    type: 'choropleth-map',
    parts: [CustomChart, TooltipComponent],
  },
  optionOf,
);
