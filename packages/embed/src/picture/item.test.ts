import { expect, it } from 'vitest';
import { createMemberColors } from '../charts/frame/member-colors.ts';
import { createFormats } from '../locale/format.ts';
import { wordsFor } from '../locale/words.ts';
import { resolveTheme } from '@inlay/contract/theme';
import { itemSvg } from './item.ts';

it('a picture of an item has the line under its title, corners and padding of its theme', () => {
  const picture = (theme: Parameters<typeof resolveTheme>[0][number]): string =>
    itemSvg(
      'Sales',
      { message: 'Nothing' },
      {
        theme: resolveTheme([theme]),
        formats: createFormats('en', 'UTC'),
        words: wordsFor('en'),
        colors: createMemberColors(8),
        nowMs: 0,
        widthPx: 300,
        heightPx: 200,
        patterns: false,
        reducedMotion: true,
        rightToLeft: false,
      },
    );
  const properties = {
    title: { border: true, lineHeight: 24 },
    density: 'comfortable',
    borders: { 'border-radius': 16 },
  };
  expect(picture(properties)).toContain('<rect x="15" y="39" width="270" height="1"');
  expect(picture(properties)).toContain('rx="16"');
  expect(picture({})).not.toContain('height="1"');
});
