import { all, securableOf, shownBy } from '../access/roles.ts';
import { define } from '../resource/define.ts';
import { field } from '../resource/fields.ts';
import { id, organizationId, times } from '../resource/standard.ts';
import { levelMeaning } from './parts/securable/filtered-meaning.ts';

const modifier = securableOf('modify', 'column', 'column_id');

export const hierarchylevel = define({
  name: 'hierarchylevel',
  description: 'One level of a hierarchy column, counted from the root, with the name of that part of its values.',
  fields: {
    id,
    column_id: field.reference('The column.', {
      required: true,
      accept: ['create'],
      to: 'column',
      onDelete: 'delete',
    }),
    level: field.number('Number of the level; 1 is the root.', {
      required: true,
      whole: true,
      minimum: 1,
      maximum: 20,
    }),
    name: field.multilingual('Name.', { searched: true }),
    organization_id: { ...organizationId, hidden: true },
    ...times,
  },
  roles: {
    create: modifier,
    get: all(securableOf('read', 'column', 'column_id'), shownBy('column_id')),
    update: modifier,
    delete: modifier,
  },
  rules: [levelMeaning],
  example: { column_id: '01890a5d-ac96-774b-bcce-b302099a8057', level: 1, name: { en: 'Continent' } },
});
