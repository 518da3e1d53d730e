import type { Chart, Look } from '../../charts/index.ts';
import type * as ControlView from './control-view.ts';
import type * as DrawingOnPage from './drawing.ts';
import type * as FigureView from './figure-view.ts';
import type { Scene } from '../look.ts';

/** What shows charts of a kind, loaded with the first of them. */
export interface Views {
  readonly drawing?: typeof DrawingOnPage;
  readonly control?: typeof ControlView;
  readonly figure?: typeof FigureView;
}

/** Loads what shows charts of a kind. */
export const loadViews: Readonly<Record<Chart['kind'], () => Promise<Views>>> = {
  drawn: async () => ({ drawing: await import('./drawing.ts') }),
  filter: async () => ({ control: await import('./control-view.ts') }),
  figure: async () => ({ figure: await import('./figure-view.ts') }),
  table: () => Promise.resolve({}),
};

/** What is written as HTML takes the room there is; measuring it would make the page lay itself out. */
export const unsized = (scene: Scene): Look => ({ ...scene, widthPx: 0, heightPx: 0 });
