import { organization, wholeOrganization } from '../declare/roles.ts';
import { Problem } from '../problems/problem.ts';
import { define } from '../resource/define.ts';
import { field } from '../declare/fields.ts';
import type { Rule } from '../resource/rules.ts';
import { id, organizationId, times } from '../resource/standard.ts';
import { readFont } from './parts/font-file.ts';

const base64 = /^[A-Za-z0-9+/]+={0,2}$/u;

const familyOfData: Rule = {
  name: 'family-of-data',
  on: ['create', 'update'],
  description: 'name is the family that the file names.',
  run: async ({ sent, after: { name, data } }) => {
    if (sent['name'] === undefined && sent['data'] === undefined) return undefined;
    const family = typeof data === 'string' ? readFont(Buffer.from(data, 'base64'))?.family : undefined;
    if (family === undefined || family === name) return undefined;
    throw new Problem('validation_failed', {
      validation: { 'properties.name': [`must be "${family}", which is the family that data names`] },
    });
  },
};

export const font = define({
  name: 'font',
  description:
    'A font of the organization, which exports draw texts with where a theme names its family. Pages load their fonts themselves.',
  // 1 MB is 1.4 MB in base64.
  bodyMb: 2,
  fields: {
    id,
    name: field.text('Family, as the file and `font.fontFamily` of themes name it.', {
      required: true,
      searched: true,
      maxLength: 100,
      pattern: {
        expression: /^[\p{L}\p{N}][\p{L}\p{N} ._-]*$/u,
        message: 'must be letters, digits, spaces, dots and hyphens',
      },
    }),
    weight: field.text('Weight of the texts that it is for.', { default: 'normal', values: ['normal', 'bold'] }),
    style: field.text('Style of the texts that it is for.', { default: 'normal', values: ['normal', 'italic'] }),
    data: field.text('A TrueType or OpenType file in base64, at most 1 MB, whose licence allows embedding.', {
      required: true,
      maxLength: 1_400_000,
      check: (value, at, fault) => {
        if (typeof value !== 'string' || !base64.test(value)) return fault(at, 'must be base64, without a prefix');
        const facts = readFont(Buffer.from(value, 'base64'));
        if (facts === null)
          return fault(at, 'must be a TrueType or OpenType font (.ttf, .otf); convert WOFF files to one of these');
        if (!facts.mayBeEmbedded) fault(at, 'is a font whose licence forbids embedding it into documents');
      },
    }),
    organization_id: organizationId,
    ...times,
  },
  roles: {
    create: wholeOrganization('editor'),
    get: organization('member'),
    update: wholeOrganization('editor'),
    delete: wholeOrganization('owner'),
  },
  rules: [familyOfData],
  example: {
    name: 'Brand Sans',
    weight: 'bold',
    data: 'AAEAAAAIAAAAAAAAY21hcAAAAAAAAACMAAAABGdseWYAAAAAAAAAkAAAAARoZWFkAAAAAAAAAJQAAAAEaGhlYQAAAAAAAACYAAAABGhtdHgAAAAAAAAAnAAAAARtYXhwAAAAAAAAAKAAAAAEbmFtZQAAAAAAAACkAAAAJk9TLzIAAAAAAAAAygAAAAoAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABABIAAwABBAkAAQAUAAAAQgByAGEAbgBkACAAUwBhAG4AcwAAAAAAAAAAAAA=',
  },
});
