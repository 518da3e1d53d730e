import { CustomChart } from 'echarts/charts';
import { TooltipComponent } from 'echarts/components';
import type { EChartsCoreOption } from 'echarts/core';
import { memberColor } from './colors/mark-color.ts';
import { baseOption, markLater, nameOf } from './drawing/base.ts';
import { decalAt } from './drawing/paint.ts';
import { cloudLegend } from './drawing/points.ts';
import { tooltipOf } from './drawing/tooltip.ts';
import type { SizedContext } from './frame/chart.ts';
import { isChosen } from './frame/chosen.ts';
import type { Field, Frame } from './frame/frame.ts';
import { membersOf } from './frame/members.ts';
import { groundOf, landOn, still } from './map/ground.ts';
import type { Level } from './map/map-level.ts';
import { mapChart } from './map/map-chart.ts';
import { titleOf, type Place, type Places } from './map/places.ts';

interface Circle {
  readonly place: Place;
  readonly value: number;
  readonly radiusPx: number;
  readonly color: string;
  /** Index of the pattern. All circles of a member have the same pattern. */
  readonly pattern: number;
}

const leastPx = 2.5;

const categoryOf = (frame: Frame): Field | undefined => frame.slot('category')[0];

/**
 * Returns the circles of a map, the largest first, so that small circles stay visible. The area of a circle is
 * proportional to its value.
 */
function circlesOf(frame: Frame, context: SizedContext, places: readonly Place[]): readonly Circle[] {
  const [measure] = frame.measures;
  const category = categoryOf(frame);
  const members = category === undefined ? [] : membersOf(frame, category).map(({ key }) => key);
  const valuedPlaces = places.flatMap((place) => {
    const value = measure === undefined ? 1 : measure.number(place.row[measure.index]);
    const cell = category === undefined ? null : (place.row[category.index] ?? null);
    const isHidden = category !== undefined && context.hidden?.has(nameOf(category.text(cell))) === true;
    return value === null || isHidden ? [] : [{ place, value, cell }];
  });
  const max = valuedPlaces.reduce((sum, { value }) => Math.max(sum, Math.abs(value)), 0);
  const maxPx = Math.max(8, Math.min(28, Math.min(context.widthPx, context.heightPx) / 12));
  return valuedPlaces
    .map(({ place, value, cell }) => ({
      place,
      value,
      radiusPx: Math.max(leastPx, max === 0 ? 0 : Math.sqrt(Math.abs(value) / max) * maxPx),
      color: category === undefined ? context.theme.mainColor : memberColor(frame, context, category, cell),
      pattern: category === undefined ? 0 : members.indexOf(category.key(cell)),
    }))
    .toSorted((a, b) => b.radiusPx - a.radiusPx);
}

function optionOf(frame: Frame, context: SizedContext, level: Level, { placed }: Places): EChartsCoreOption {
  const { theme, chosen = null } = context;
  const [geo] = frame.slot('geo');
  const [measure] = frame.measures;
  const category = categoryOf(frame);
  const ground = groundOf(placed, context, { belowPx: 0, share: 0.14 });
  const circles = circlesOf(frame, context, placed);
  return {
    ...baseOption(context),
    tooltip: tooltipOf(context, ({ dataIndex }: { dataIndex: number }) => {
      const circle = circles[dataIndex];
      if (circle === undefined || geo === undefined) return null;
      const { row } = circle.place;
      const value = measure === undefined ? '' : measure.text(row[measure.index]);
      const label = category === undefined ? (measure?.label ?? '') : category.text(row[category.index]);
      return { title: titleOf(circle.place, geo, context), rows: [{ color: circle.color, label, value }] };
    }),
    series: [
      still(landOn(ground, level, new Set())),
      {
        type: 'custom',
        coordinateSystem: 'none',
        data: circles.map(({ place, value }) => ({ value, mark: markLater(frame.dimensions, place.row) })),
        renderItem: ({ dataIndex }: { dataIndex: number }) => {
          const circle = circles[dataIndex];
          if (circle === undefined) return null;
          const { place, radiusPx, color, pattern } = circle;
          const [cx, cy] = ground.projection.place(place.at);
          const isDim = chosen !== null && !isChosen(frame, place.row, chosen);
          return {
            type: 'circle',
            shape: { cx, cy, r: radiusPx },
            style: {
              fill: color,
              fillOpacity: 0.75,
              stroke: theme.itemsBackground,
              lineWidth: 1,
              ...(isDim ? { opacity: 0.3 } : {}),
              ...(category === undefined ? {} : decalAt(context, pattern)),
            },
            emphasis: { style: { stroke: theme.text } },
          };
        },
      },
    ],
  };
}

/** A map of circles whose sizes show a measure. */
export const chart = mapChart(
  {
    type: 'symbol-map',
    parts: [CustomChart, TooltipComponent],
    legend: (frame, context) => cloudLegend({ color: categoryOf(frame) }, frame, context),
  },
  optionOf,
);
