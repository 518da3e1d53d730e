import type { Entry } from './build.ts';

type Several = Entry | readonly Entry[];
interface Line {
  readonly xAxis: Entry;
  readonly measure?: Several;
  readonly legend?: Entry;
}
interface Tiles {
  readonly category: Entry;
  readonly measure?: Entry;
  readonly color?: Entry;
}
interface Gauge {
  readonly measure: Entry;
  readonly target?: Entry;
}
interface Rings {
  readonly levels: Several;
  readonly measure?: Entry;
}

/** The slots of each type of item, in camel case. */
export interface ItemSlots {
  readonly 'area-chart': Line;
  readonly 'bar-chart': { readonly yAxis?: Entry; readonly measure?: Several; readonly legend?: Entry };
  readonly 'bubble-chart': Tiles;
  readonly 'circle-pack-chart': Rings;
  readonly 'column-chart': { readonly xAxis?: Entry; readonly measure?: Several; readonly legend?: Entry };
  readonly 'donut-chart': { readonly category?: Entry; readonly measure?: Several };
  readonly 'line-chart': Line;
  readonly 'evolution-number': { readonly measure: Entry; readonly evolution?: Entry };
  readonly 'conditional-number': { readonly measure: Entry; readonly target?: Entry; readonly evolution?: Entry };
  readonly 'bullet-chart': { readonly category?: Entry; readonly measure: Entry; readonly target?: Entry };
  readonly 'circular-gauge': Gauge;
  readonly 'speedometer-chart': Gauge;
  readonly 'combination-chart': { readonly xAxis: Entry; readonly measure?: Several };
  readonly 'heat-table': { readonly xAxis: Entry; readonly yAxis: Entry; readonly measure?: Entry };
  readonly 'funnel-chart': { readonly category?: Entry; readonly measure?: Several };
  readonly 'waterfall-chart': { readonly xAxis: Entry; readonly measure?: Entry };
  readonly histogram: { readonly xAxis: Entry; readonly measure?: Entry };
  readonly 'choropleth-map': { readonly geo: Entry; readonly measure?: Entry };
  readonly 'symbol-map': { readonly geo: Entry; readonly measure?: Entry; readonly category?: Entry };
  readonly 'pivot-table': { readonly row?: Several; readonly column?: Several; readonly measure?: Several };
  readonly 'regular-table': { readonly columns: Several };
  readonly 'scatter-plot': {
    readonly xAxis: Entry;
    readonly yAxis: Entry;
    readonly name?: Several;
    readonly size?: Entry;
    readonly color?: Entry;
  };
  readonly 'sunburst-chart': Rings;
  readonly 'treemap-chart': Tiles;
  readonly 'date-filter': { readonly time: Several };
  readonly 'date-comparison-filter': { readonly time: Entry };
  readonly 'dropdown-filter': { readonly dimension: Several };
  readonly 'search-filter': { readonly dimension: Entry };
  readonly 'slicer-filter': { readonly dimension?: Several; readonly measure?: Entry };
  readonly 'slider-filter': { readonly slidermetric: Several };
  readonly text: { readonly measure?: Several };
  readonly image: object;
  readonly divider: object;
  readonly spacer: object;
  readonly tabs: object;
  readonly 'parameter-control': object;
}
