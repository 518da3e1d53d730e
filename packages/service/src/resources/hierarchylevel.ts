import { all, securable, securableOf, shownBy } from '../declare/roles.ts';
import { define } from '../resource/define.ts';
import { field } from '../declare/fields.ts';
import { createdBy, creatorField, noteCreator, orCreator, id, organizationId, times } from '../resource/standard.ts';
import { levelMeaning } from './parts/securable/filtered-meaning.ts';

const byColumn = securableOf('modify', 'column', 'column_id');
const modifier = orCreator(byColumn, 'column_id');

export const hierarchylevel = define({
  name: 'hierarchylevel',
  description: 'One level of a hierarchy column, counted from the root, with the name of that part of its values.',
  fields: {
    id,
    column_id: field.reference('The column; it is named here or by associating the level.', {
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
    ...creatorField,
    ...times,
  },
  roles: {
    create: createdBy(byColumn, 'column_id'),
    get: orCreator(all(securableOf('read', 'column', 'column_id'), shownBy('column_id')), 'column_id'),
    update: modifier,
    delete: modifier,
  },
  draftWithout: 'column_id',
  rules: [levelMeaning, noteCreator('column_id')],
  associations: {
    Column: {
      to: 'column',
      relation: { kind: 'reference', field: 'column_id', fixed: true },
      roleHere: modifier,
      roleThere: securable('modify', 'securable_id'),
    },
  },
  example: { column_id: '01890a5d-ac96-774b-bcce-b302099a8057', level: 1, name: { en: 'Continent' } },
});
