import type { Json } from '@inlay/contract';
import type { SizedContext } from '../frame/chart.ts';
import { columnOf } from '../frame/key.ts';
import type { Field, Frame } from '../frame/frame.ts';

type Part<Of, Name extends keyof Of> = Pick<Of, Name>;

/**
 * Returns the colour of a member: the one that the item's options set for its text, otherwise its colour on this page.
 */
export function memberColor(
  { settings }: Part<Frame, 'settings'>,
  { theme, colors }: Part<SizedContext, 'theme' | 'colors'>,
  field: Field,
  cell: Json,
): string {
  const place = colors.place(columnOf(field.placed), field.key(cell));
  return settings.colorOf(field.text(cell)) ?? theme.colors[place % theme.colors.length] ?? theme.mainColor;
}

/**
 * Returns the colour of a measure: the one that the item's options set for its label, otherwise the one at its
 * position.
 */
export const measureColor = (
  { settings }: Part<Frame, 'settings'>,
  { theme }: Part<SizedContext, 'theme'>,
  field: Field | undefined,
  index: number,
): string =>
  (field === undefined ? null : settings.colorOf(field.label)) ??
  theme.colors[index % theme.colors.length] ??
  theme.mainColor;
