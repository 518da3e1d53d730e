import type { Control, SizedContext } from '../../charts/frame/chart.ts';
import type { FilterSelection } from '@inlay/contract';

export interface ControlPart<Kind extends Control['kind'], Of = Extract<Control, { kind: Kind }>> {
  readonly control: Of;
  readonly chosen: FilterSelection;
  readonly context: Pick<SizedContext, 'words' | 'formats' | 'rightToLeft' | 'isReadOnly'>;
  /** Title of the item. */
  readonly name: string;
  readonly change: (selection: FilterSelection) => void;
}

export const valueOf = (event: Event): string => (event.target instanceof HTMLInputElement ? event.target.value : '');
