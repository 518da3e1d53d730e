import { featureNames, isUuid, unknownWord, uuidFault, type Fault, type JsonObject } from '@inlay/contract';
import { checkContents } from '@inlay/contract/dashboard';
import { any, loggedIn, token } from '../declare/roles.ts';
import { define } from '../resource/define.ts';

const id = '01890a5d-ac96-774b-bcce-b302099a8057';
const object = { type: ['object', 'null'] };
const text = { type: ['string', 'null'] };

const names: readonly string[] = ['dashboard_id', 'dashboard_slug', 'contents'];

function check(input: JsonObject, fault: Fault): void {
  const [id = null, slug = null, contents = null] = names.map((name) => input[name]);
  if (id !== null && (typeof id !== 'string' || !isUuid(id))) fault('dashboard_id', uuidFault(id));
  if (slug !== null && (typeof slug !== 'string' || slug === '')) fault('dashboard_slug', 'must be a text');
  if (id !== null && slug !== null) fault('dashboard_slug', 'does not go with a dashboard_id');
  if (contents !== null) {
    if (id === null && slug === null) fault('contents', 'goes with the dashboard_id of the dashboard that they change');
    checkContents(contents, 'contents', fault);
  }
  for (const name of Object.keys(input)) if (!names.includes(name)) fault(name, unknownWord(name, names));
}

export const appearance = define({
  name: 'appearance',
  description:
    'Everything that a page needs to render a dashboard for the caller, in one response: contents, themes, custom CSS, and the language and time zone of the token. Themes apply in the order `organization`, view, `token`; themes that a view names by id are in `stored`.',
  fields: {},
  roles: { get: any(loggedIn, token('embed')) },
  features: [
    {
      feature: 'view',
      on: ['get'],
      what: 'of a dashboard',
      when: (find) => names.some((name) => (find[name] ?? null) !== null),
    },
  ],
  bodyMb: 6,
  served: {
    get: {
      find: {
        type: 'object',
        additionalProperties: false,
        properties: {
          dashboard_id: {
            type: 'string',
            format: 'uuid',
            description:
              'The dashboard, which the caller must be able to read; only themes, CSS and language without it.',
          },
          dashboard_slug: {
            type: 'string',
            description:
              'The `slug` of the dashboard in the organization of the caller, instead of its id. One that the caller may not read is unknown.',
          },
          contents: {
            type: 'object',
            description:
              'Contents of the dashboard that are not stored, as an editor has them: they are answered with slot defaults filled in, in place of the stored ones.',
          },
        },
      },
      check,
      answers: {
        type: 'object',
        additionalProperties: false,
        required: [
          'dashboard',
          'themes',
          'css',
          'locale_id',
          'timezone_id',
          'currency_id',
          'initial_filters',
          'features',
        ],
        properties: {
          dashboard: {
            ...object,
            additionalProperties: false,
            required: ['id', 'name', 'contents'],
            properties: {
              id: { type: 'string' },
              name: object,
              contents: {
                type: 'object',
                description:
                  'As stored, with slot defaults filled in from columns and formulas. In `parameters`, one with a `parameter-control` that the token also sets has the value of the token (`null` if `sensitive`) and `fixed`.',
              },
            },
          },
          themes: {
            type: 'object',
            additionalProperties: false,
            required: ['organization', 'stored', 'token'],
            properties: { organization: object, stored: { type: 'object' }, token: object },
          },
          css: { type: 'array', items: { type: 'string' }, description: 'Of the dashboard, then of the token.' },
          locale_id: text,
          timezone_id: text,
          currency_id: text,
          features: {
            type: 'array',
            items: { type: 'string', enum: [...featureNames, '!ai_questions'] },
            description:
              'What the caller may do: the features of the token, or all of a person, as far as the caller holds the right for them on the dashboard or one of its datasets. `!ai_questions` stands for questions that the caller could ask if the organization switched them on.',
          },
          initial_filters: {
            type: 'array',
            items: { type: 'object' },
            description:
              'The values with which filter items of the dashboard start, as filters of a data query: of each whose first column it is on.',
          },
        },
      },
      example: { dashboard_id: id },
    },
  },
  example: {},
});
