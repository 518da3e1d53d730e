import { isUuid, type Json } from '@inlay/contract';
import { any, loggedIn, operator, token } from '../../declare/roles.ts';
import { define, type Resource } from '../../resource/define.ts';
import { field, readOnly } from '../../declare/fields.ts';
import { times } from '../../resource/standard.ts';
import { codeId } from '../../store/code-id.ts';

const asId = (value: Json): Json => (typeof value === 'string' && !isUuid(value) ? codeId(value) : value);

const codes = (name: string, sentence: string, example: Resource['example']): Resource =>
  define({
    name,
    description: `${sentence}; read-only.`,
    codes: codeId,
    fields: {
      id: readOnly(
        field.uuid('The UUID of version 5 of its code; the same in every installation.', { searchedAs: asId }),
      ),
      code: readOnly(field.text('Its ISO code.', { column: true })),
      name: readOnly(field.multilingual('Name.', { searched: true })),
      ...times,
    },
    roles: { create: operator, get: any(loggedIn, token('embed')), update: operator, delete: operator },
    example,
  });

export const locale = codes('locale', 'A language of ISO 639-1', { code: 'en', name: { en: 'English' } });
export const country = codes('country', 'A country of ISO 3166-1', { code: 'BE', name: { en: 'Belgium' } });
