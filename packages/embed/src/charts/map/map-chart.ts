import type { EChartsCoreOption } from 'echarts/core';
import { memoize } from '../../locale/memoize.ts';
import { baseOption } from '../drawing/base.ts';
import type { DrawnChart, Look } from '../frame/chart.ts';
import type { Frame } from '../frame/frame.ts';
import type { Level } from './map-level.ts';
import { loadLevel } from './level.ts';
import { createFindPlaces, missingNote, type Places } from './places.ts';

type MapOption = (frame: Frame, look: Look, level: Level, places: Places) => EChartsCoreOption;

/** Creates a map chart. It loads the shapes that its rows need and notes unmatched members. */
export function mapChart(facts: Pick<DrawnChart, 'type' | 'parts' | 'legend'>, optionOf: MapOption): DrawnChart {
  const chart: DrawnChart = {
    ...facts,
    kind: 'drawn',
    ready: async (frame, look) => drawnOn(await loadLevel(frame, look.formats.locale)),
    option: (_frame, look) => baseOption(look),
  };
  const drawnOn = memoize((level: Level): DrawnChart => {
    const placesOf = createFindPlaces(level);
    return {
      ...chart,
      note: (frame, look) => missingNote(placesOf(frame, look), look),
      option: (frame, look) => optionOf(frame, look, level, placesOf(frame, look)),
    };
  });
  return chart;
}
