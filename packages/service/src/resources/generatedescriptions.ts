import type { JsonObject } from '@inlay/contract';
import { loggedIn } from '../declare/roles.ts';
import { define } from '../resource/define.ts';
import { field } from '../declare/fields.ts';
import { checkDatasets, datasetsIn, maxDatasets } from './parts/data/dataset-list.ts';

const uuid: JsonObject = { type: 'string', format: 'uuid' };
const parts: JsonObject = { type: 'array', items: { anyOf: [uuid, { type: 'object', properties: { id: uuid } }] } };
const description: JsonObject = {
  type: 'object',
  additionalProperties: { type: 'string' },
  description: 'One sentence in the language of the caller, by its code.',
};
const described: JsonObject = {
  type: 'array',
  items: { type: 'object', properties: { id: uuid, description }, required: ['id', 'description'] },
};

export const generatedescriptions = define({
  name: 'generatedescriptions',
  alsoNamed: ['generate_descriptions'],
  description:
    'Writes descriptions of datasets, their columns and formulas, from names and types. They are returned, not stored. An organization owner has to enable AI charts first.',
  fields: {
    datasets: field.list(
      'The datasets: ids, or objects with the columns and formulas that are meant; all without them.',
      {
        required: true,
        accept: ['create'],
        to: 'securable',
        targetOf: 'dataset',
        right: 'modify',
        references: datasetsIn,
        check: checkDatasets,
        shape: {
          items: {
            anyOf: [
              uuid,
              {
                type: 'object',
                properties: { id: uuid, columns: parts, formulas: parts },
                required: ['id'],
                additionalProperties: false,
              },
            ],
          },
          minItems: 1,
          maxItems: maxDatasets,
        },
      },
    ),
  },
  roles: { create: loggedIn },
  features: [{ feature: 'ai_questions', on: ['create'] }],
  served: {
    create: {
      answers: {
        title: 'GeneratedDescriptions',
        type: 'object',
        properties: {
          properties: {
            type: 'object',
            properties: {
              datasets: {
                type: 'array',
                items: {
                  type: 'object',
                  properties: { id: uuid, description, columns: described, formulas: described },
                  required: ['id', 'description', 'columns', 'formulas'],
                },
              },
            },
            required: ['datasets'],
          },
        },
        required: ['properties'],
      },
    },
  },
  example: { datasets: ['01890a5d-ac96-774b-bcce-b302099a8057'] },
});
