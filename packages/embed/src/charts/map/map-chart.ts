import type { EChartsCoreOption } from 'echarts/core';
import { memoize } from '../../locale/memoize.ts';
import { baseOption } from '../drawing/base.ts';
import type { DrawnChart, SizedContext } from '../frame/chart.ts';
import type { Frame } from '../frame/frame.ts';
import type { Level } from './map-level.ts';
import { loadLevel } from './level.ts';
import { createFindPlaces, missingNote, type Places } from './places.ts';

type MapOption = (frame: Frame, context: SizedContext, level: Level, places: Places) => EChartsCoreOption;

/** Creates a map chart. It loads the shapes that its rows need and has a note about members without a location. */
export function mapChart(facts: Pick<DrawnChart, 'type' | 'parts' | 'legend'>, optionOf: MapOption): DrawnChart {
  const chart: DrawnChart = {
    ...facts,
    kind: 'drawn',
    ready: async (frame, context) => drawnOn(await loadLevel(frame, context.formats.locale)),
    option: (_frame, context) => baseOption(context),
  };
  const drawnOn = memoize((level: Level): DrawnChart => {
    const placesOf = createFindPlaces(level);
    return {
      ...chart,
      note: (frame, context) => missingNote(placesOf(frame, context), context),
      option: (frame, context) => optionOf(frame, context, level, placesOf(frame, context)),
    };
  });
  return chart;
}
