import { isContentType, type Item } from '@inlay/contract';
import type { Chart, Frame, SizedContext } from '../charts/index.ts';
import type * as ContentView from './views/content-view.ts';
import type * as ControlView from './views/control-view.ts';
import type * as DrawingOnPage from './views/drawing.ts';
import type * as FigureView from './views/figure-view.ts';
import type { RenderContext } from './render-context.ts';
import type * as Sheets from './table/table-sheet.ts';

/** Views of a kind of chart, loaded on demand. */
export interface Views {
  readonly drawing?: typeof DrawingOnPage;
  readonly control?: typeof ControlView;
  readonly figure?: typeof FigureView;
  readonly table?: typeof Sheets;
  readonly content?: typeof ContentView;
}

export const loadViews: Readonly<Record<Chart['kind'], () => Promise<Views>>> = {
  drawn: async () => ({ drawing: await import('./views/drawing.ts') }),
  filter: async () => {
    const control = await import('./views/control-view.ts');
    control.defineControls();
    return { control };
  },
  figure: async () => ({ figure: await import('./views/figure-view.ts') }),
  table: async () => ({ table: await import('./table/table-sheet.ts') }),
  content: async () => ({ content: await import('./views/content-view.ts') }),
};

/**
 * Returns a context for HTML content, whose size does not depend on the card. Measuring the card would force a layout.
 */
export const unsized = (renderContext: RenderContext): SizedContext => ({ ...renderContext, widthPx: 0, heightPx: 0 });

export interface CardLayout {
  /** True if the card has no frame, such as that of a text between charts. */
  readonly isBare: boolean;
  readonly isTable: boolean;
  readonly scrolls: boolean;
  /** CSS classes of the card's body. */
  readonly kinds: string;
}

export function layoutOf({ type }: Item, chart: Chart | null, frame: Frame | null, asTable: boolean): CardLayout {
  const isDrawn = chart?.kind === 'drawn' && !asTable && frame !== null;
  const isFilter = chart?.kind === 'filter';
  const scrolls = frame !== null && !isDrawn && !(isFilter && !chart.scrolls);
  const isTable = scrolls && frame.rows.length !== 0 && (asTable || chart?.kind === 'table');
  const kinds = isDrawn ? 'drawn' : isTable ? 'tabled' : isFilter ? (scrolls ? 'filter' : 'filter line') : '';
  return { isBare: isContentType(type) && !isFilter, isTable, scrolls, kinds };
}

/** Returns the elements that a table needs: scroll box, sheet and row note. Null if the card shows no table. */
export function tablePlaces(root: ParentNode): Record<'body' | 'sheet' | 'note', HTMLElement> | null {
  const at = (name: string): HTMLElement | null => root.querySelector<HTMLElement>(name);
  const [body, sheet, note] = [at('.body'), at('.sheet'), at('.rows')];
  return body === null || sheet === null || note === null ? null : { body, sheet, note };
}
