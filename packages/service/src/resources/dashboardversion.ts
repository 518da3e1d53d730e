import { checkContents, contentsMembers, contentsWarnings, membersSchema } from '@inlay/contract/dashboard';
import { emptyContents, isObject, unknownWord, versionFirst } from '@inlay/contract';
import { all, any, current, environmentIn, having, operator, securable, valued, writer } from '../declare/roles.ts';
import { define } from '../resource/define.ts';
import { field, readOnly, type Accept } from '../declare/fields.ts';
import { id, organizationId, times } from '../resource/standard.ts';
import { warnOfContents } from './parts/contents/warn-of-contents.ts';
import { draftRules } from './parts/version/draft-rules.ts';
import { changeShape, checkChange, checkSteps, stepsShape } from './parts/version/steps.ts';
import { contentsShape } from './parts/shapes.ts';

const modifier = securable('modify', 'securable_id');
const editor = all(modifier, current);
const isPublished = all(valued('state', 'published'), environmentIn('environment'));
const isOwnDraft = all(valued('state', 'draft'), writer('writer'), current);
const published = all(modifier, isPublished);
const draft = all(modifier, isOwnDraft);

const accept = (ofDraft: Accept, ofPublished: Accept): { byVariety: Record<string, Accept> } => ({
  byVariety: { draft: ofDraft, published: ofPublished },
});
const both = ['create', 'update'] as const;
/** Features of which a draft needs one, each with the other. */
const editing = [
  ['edit_full', 'edit_limited'],
  ['edit_limited', 'edit_full'],
] as const;
const drafts = { of: ['draft'], accept: accept(both, []) } as const;

export const dashboardversion = define({
  name: 'dashboardversion',
  description:
    'Contents of a dashboard beside its current ones: previous contents, stored at each update, and drafts. A draft is visible to its writer alone. To restore or publish contents, update the dashboard with them.',
  variety: { field: 'state', of: ['draft', 'published'] },
  warns: { of: () => [] },
  fields: {
    id,
    state: field.text('`draft`, or `published` for previous contents, which the service stores.', {
      accept: ['create'],
      default: 'draft',
      values: ['draft', 'published'],
      column: true,
    }),
    securable_id: field.reference('The dashboard. A writer has one draft of it.', {
      accept: accept(['create'], []),
      required: true,
      to: 'securable',
      targetOf: 'dashboard',
      onDelete: 'delete',
      conflictCode: 'draft_exists',
    }),
    contents: field.object(
      'The contents, `version` first. A draft without any gets those that the dashboard has now.',
      {
        accept: accept(both, []),
        shownTo: having('view'),
        check: checkContents,
        shape: contentsShape,
        objects: membersSchema(contentsMembers),
        warns: (value, at) => contentsWarnings(value, at, unknownWord),
        stored: (value) => (isObject(value) ? versionFirst(value) : value),
      },
    ),
    based_on: field.text(
      'Draft: the `ETag` of the dashboard from which it began, by default that of now. Sent as `If-Match` when the dashboard is updated, it is refused if the dashboard has changed since.',
      { ...drafts, maxLength: 255 },
    ),
    inverse: field.list(
      'Draft: a change that undoes the whole draft: applied to its contents, it gives those of the dashboard at `based_on`. Editors merge a draft by it after somebody else has updated the dashboard. The service does not apply it.',
      { ...drafts, default: [], check: checkChange, shape: { items: changeShape.items }, shownTo: having('view') },
    ),
    steps: field.list(
      'Draft: the undo history of the editor, oldest step first. The service checks its form and does not apply it.',
      { ...drafts, default: [], check: checkSteps, shape: stepsShape, shownTo: having('view') },
    ),
    environment: field.text('Name of the environment in which embed tokens show it.', {
      of: ['published'],
      accept: accept([], ['update']),
      column: true,
      maxLength: 255,
    }),
    name: field.text('Name.', { accept: accept(both, ['update']), searched: true, maxLength: 1000 }),
    user_id: readOnly(
      field.reference('Draft: the person who writes it; null for an embed token.', {
        of: ['draft'],
        to: 'user',
        onDelete: 'delete',
      }),
    ),
    suborganization: readOnly(field.text('Draft: suborganization of its writer.', { of: ['draft'], column: true })),
    username: readOnly(
      field.text('Draft: `username` of the embed token that writes it.', { of: ['draft'], column: true }),
    ),
    writer: readOnly(field.text('Identifies the writer of a draft.', { of: ['draft'], hidden: true })),
    organization_id: { ...organizationId, hidden: true },
    ...times,
  },
  roles: {
    create: { byVariety: { draft: editor, published: operator } },
    get: all(modifier, any(isPublished, isOwnDraft)),
    update: { byVariety: { draft, published } },
    delete: { byVariety: { draft, published: operator } },
  },
  features: [
    { feature: 'view', on: ['create', 'get', 'update', 'delete'] },
    { feature: 'edit_full', on: ['update'], of: 'published' },
    ...editing.map(([feature, other]) => ({
      feature,
      on: ['create', 'update', 'delete'] as const,
      of: 'draft',
      what: `without \`${other}\``,
      decided: true as const,
    })),
  ],
  rules: [...draftRules, warnOfContents],
  bodyMb: 6,
  example: { securable_id: '01890a5d-ac96-774b-bcce-b302099a8057', contents: emptyContents() },
});
