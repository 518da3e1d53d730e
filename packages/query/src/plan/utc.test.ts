import { expect, it } from 'vitest';
import { zoneNamed } from './time/zone.ts';

it.each(['UTC', 'Etc/UTC', 'GMT', 'Zulu', 'utc'])('%s needs no calendar, so that nothing is converted', (name) => {
  expect(zoneNamed(name, 'options')).toMatchObject({ name: 'UTC', isUtc: true });
});
