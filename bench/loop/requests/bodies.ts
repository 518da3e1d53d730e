import { contentsOfBytes } from '../stage.ts';
import { done, either, megabyte, refused, repeated, type Part } from './request.ts';

/** Bodies as large as an address takes. */
export const bodies: Part = (stage, { part, ask, text, credentialsLast }) => {
  const contents = JSON.stringify({ type: 'dashboard', contents: contentsOfBytes(part(5_800_000)) });
  const row = (cell: string): string => `[${`${cell},`.repeat(499)}${cell}]`;
  const rows = (count: number, cell: string): string => `[${`${row(cell)},`.repeat(count - 1)}${row(cell)}]`;
  const push = (data: string): string =>
    `{"action":"create","properties":{"type":"create","data":${data},"options":{}},${credentialsLast}`;
  const members = Array.from({ length: part(9_990) }, (_, index) => `"field_${index}":${index}`).join(',');
  const one = part(megabyte - 500);
  return [
    text(
      '1 MB: a long text',
      'theme',
      `{"properties":{"name":{"en":"${'x'.repeat(one)}"}},${credentialsLast}`,
      refused,
      {},
    ),
    text(
      '1 MB: many values',
      'theme',
      `{"properties":{"theme":{"colors":[${repeated('"#fff",', part(430_000))}1]}},${credentialsLast}`,
      either,
      {},
    ),
    text(
      '1 MB: a list in an object',
      'theme',
      `{"properties":{"a":[${repeated('{},', part(180_000))}1]},${credentialsLast}`,
      either,
      {},
    ),
    text('many members', 'theme', `{"properties":{${members}},${credentialsLast}`, refused, {}),
    text(
      '63 levels',
      'theme',
      `{"properties":{"theme":${'['.repeat(60)}${']'.repeat(60)}},${credentialsLast}`,
      refused,
      {},
    ),
    text('6 MB of contents', 'dashboard', `{"properties":${contents}}`),
    text('6 MB of contents, credentials last', 'securable', `{"properties":${contents},${credentialsLast}`, done, {}),
    text('6 MB of contents, changed', 'dashboard', `{"id":"${stage.filled[0]}","properties":${contents}}`),
    text(
      '6 MB of small items',
      'dashboard',
      `{"properties":{"contents":{"views":[{"items":[${repeated('{},', part(1_100_000))}{}]}]}}}`,
      either,
    ),
    ask('a dashboard of 5 MB', 'dashboard', { action: 'get', id: stage.filled[0] }),
    ask('its versions', 'dashboardversion', { find: { where: { securable_id: stage.filled[0] } } }, either),
    text('push of 10,000 × 500, credentials last', 'data', push(rows(part(10_000), '7')), done, {}),
    text('push of 62 MB of texts', 'data', push(rows(part(5_000), '"0123456789012345678901"')), done, {}),
    text('push of 5,000,000 empty rows', 'data', push(`[${'[],'.repeat(part(5_000_000))}[]]`), refused, {}),
    text('62 MB of [{},{},…] from nobody', 'data', `[${'{},'.repeat(part(20_600_000))}{}]`, [400, 401], {}),
    text('62 MB of [{},{},…] from somebody', 'data', `{"find":[${'{},'.repeat(part(20_600_000))}{}]}`, [400, 413]),
    text('rows beyond all, credentials last', 'data', push(`[${'{},'.repeat(part(20_600_000))}{}]`), [400, 413], {}),
  ];
};
