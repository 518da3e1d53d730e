import { parseGrid, type Expectation } from './grid.ts';

/** Who calls: a member of A (or an embed token with role owner) who holds each right on records named after the rights. */
export const callers = ['embed', 'member', 'editor', 'owner'] as const;
export type Caller = (typeof callers)[number];

export const levels = ['none', 'reader', 'user', 'modifier', 'owner'] as const;
export type Level = (typeof levels)[number];

/**
 * What the columns of a table vary.
 * caller: the caller, with its organization role. role: the right that a member holds on the other record, `levels`.
 * group: a member outside the group, an Organization Owner outside it, its member, its owner.
 */
export const variations = {
  caller: ['embed', 'member', 'editor', 'owner'],
  role: ['none', 'reader', 'modifier', 'owner'],
  useRole: ['none', 'reader', 'user', 'owner'],
  group: ['outside', 'ownerOutside', 'groupMember', 'groupOwner'],
} as const;
export type Variation = keyof typeof variations;

export type First = 'dataset' | 'dashboard' | 'account' | 'collection' | 'group' | 'organization' | 'plugin' | 'theme';
export type Action = 'associate' | 'dissociate';

export interface LinkCell {
  readonly first: First;
  /** The right that the caller holds on the first record; `none` also where rights do not matter. */
  readonly level: Level;
  readonly link: string;
  readonly variation: Variation;
  readonly column: string;
  /** Whether the other record belongs to the other organization; the columns are then the callers. */
  readonly elsewhere: boolean;
  readonly actions: readonly Action[];
  readonly expected: Expectation;
  readonly source: string;
}

/*
 * "Dissociate dataset needs two roles". A row is the role on the
 * dataset. Refusals differ: 404 a dataset that the caller cannot see, 403 records that it sees
 * without the right, 400 another record that it cannot see; `no` where both roles are missing and either may be said.
 */
const eightKinds = `
#                    the same organization         | the other organization

# Securable Owner + Organization Editor: embed, member, editor, owner. An embed token of another suborganization sees no users.
Users caller none         | 404  404  404  403     | 404  404  404  400
Users caller reader       |  no  403  403  403     |  no   no   no   no
Users caller modifier     |  no  403  403  403     |  no   no   no   no
Users caller owner        | 400  403  200  200     | 400  400  400  400

# Securable Owner + Group Member: outside, Organization Owner outside, group member, group owner
Groups group none         | 404  403  404  404     | 404  404  404  400
Groups group reader       | 403  403  403  403     |  no   no   no   no
Groups group modifier     | 403  403  403  403     |  no   no   no   no
Groups group owner        | 403  403  200  200     | 400  400  400  400

# Securable Reader + Securable Reader: the target is the caller's own user id, which an embed token has not
favorites caller none     | 404  404  404  403     | 404  404  404  400
favorites caller reader   |  no  200  200  200     |  no  400  400  400
favorites caller modifier |  no  200  200  200     |  no  400  400  400
favorites caller owner    |  no  200  200  200     |  no  400  400  400

# Securable Modifier + Organization Member: embed, member, editor, owner. An embed token sees no tags.
Tags caller none          | 404  404  404  403     | 404  404  404  400
Tags caller reader        |  no  403  403  403     |  no   no   no   no
Tags caller modifier      | 400  200  200  200     | 400  400  400  400
Tags caller owner         | 400  200  200  200     | 400  400  400  400

# Securable Modifier + Securable Modifier: none, reader, modifier, owner of what the schedule is for; readers do not see it
Schedule role none        | 404  404  404  404     | 404  404  404  400
Schedule role reader      |  no   no  403  403     |  no   no   no   no
Schedule role modifier    | 400  400  200  200     | 400  400  400  400
Schedule role owner       | 400  400  200  200     | 400  400  400  400

# Securable Reader + Entity Modifier: none, reader, modifier, owner of the collection
Collections role none     | 404  404  404  404     | 404  404  404  400
Collections role reader   | 400  403  200  200     | 400  400  400  400
Collections role modifier | 400  403  200  200     | 400  400  400  400
Collections role owner    | 400  403  200  200     | 400  400  400  400

# Securable Modifier + Securable Modifier: none, reader, modifier, owner of the column's dataset
Columns role none         | 404  404  404  404     | 404  404  404  400
Columns role reader       |  no  403  403  403     |  no   no   no   no
Columns role modifier     | 400  403  200  200     | 400  400  400  400
Columns role owner        | 400  403  200  200     | 400  400  400  400

# Securable Reader + Organization Owner: embed, member, editor, owner. Only Organization Owners see the groups of filters.
EmbedFilterGroups caller none     | 404  404  404  403     | 404  404  404  400
EmbedFilterGroups caller reader   | 400  400  400  200     | 400  400  400  400
EmbedFilterGroups caller modifier | 400  400  400  200     | 400  400  400  400
EmbedFilterGroups caller owner    | 400  400  400  200     | 400  400  400  400
`;

/* Further pairs. A row: the first record, the link, what varies, the right on the first record. */
const furtherPairs = `
# Integrations, Securable Owner + Organization Owner: embed, member, editor, owner
dataset Integrations caller none      | 404 404 404 403
dataset Integrations caller reader    |  no 403 403 403
dataset Integrations caller user      |  no 403 403 403
dataset Integrations caller modifier  |  no 403 403 403
dataset Integrations caller owner     | 400 403 403 200
dashboard Integrations caller none    | 404 404 404 403
dashboard Integrations caller reader  |  no 403 403 403
dashboard Integrations caller modifier |  no 403 403 403
dashboard Integrations caller owner   | 400 403 403 200

# Dashboards, use on the dataset + modify on the dashboard: none, reader, modifier, owner of the dashboard
dataset Dashboards role none          | 404 404 404 404
dataset Dashboards role reader        |  no 403 403 403
dataset Dashboards role user          | 400 403 200 200
dataset Dashboards role modifier      | 400 403 200 200
dataset Dashboards role owner         | 400 403 200 200

# Datasets, the same from the other side: none, reader, user, owner of the dataset
dashboard Datasets useRole none       | 404 404 404 404
dashboard Datasets useRole reader     |  no 403 403 403
dashboard Datasets useRole user       |  no 403 403 403
dashboard Datasets useRole modifier   | 400 403 200 200
dashboard Datasets useRole owner      | 400 403 200 200

# Dashboard with Share, Securable Owner + Logged-in User; only the owner of its dashboard sees a share
dashboard Share role none             | 404 404 404 404
dashboard Share role reader           |  no  no  no 403
dashboard Share role user             |  no  no  no 403
dashboard Share role modifier         |  no  no  no 403
dashboard Share role owner            | 400 400 400 200

# Variants and original (dashboards), Securable use + Securable Reader: none, reader, modifier, owner
dashboard variants role none          | 404 404 404 404
dashboard variants role reader        |  no 403 403 403
dashboard variants role user          | 400 200 200 200
dashboard variants role modifier      | 400 200 200 200
dashboard variants role owner         | 400 200 200 200
dashboard original role none          | 404 404 404 404
dashboard original role reader        |  no 403 403 403
dashboard original role user          | 400 200 200 200
dashboard original role modifier      | 400 200 200 200
dashboard original role owner         | 400 200 200 200

# A dashboard has the people, groups, favorites, tags, schedules and collections of a dataset
dashboard Users caller reader         |  no 403 403 403
dashboard Users caller modifier       |  no 403 403 403
dashboard Users caller owner          | 400 403 200 200
dashboard Groups group modifier       | 403 403 403 403
dashboard Groups group owner          | 403 403 200 200
dashboard favorites caller none       | 404 404 404 403
dashboard favorites caller reader     |  no 200 200 200
dashboard Tags caller reader          |  no 403 403 403
dashboard Tags caller modifier        | 400 200 200 200
dashboard Schedule role reader        |  no  no 403 403
dashboard Schedule role modifier      | 400 400 200 200
dashboard Collections role none       | 404 404 404 404
dashboard Collections role reader     | 400 403 200 200

# A collection with Securables, the pair of Collections from the other side: none, reader, modifier, owner
collection Securables role none       | 404 404 404 404
collection Securables role reader     |  no 403 403 403
collection Securables role modifier   | 400 200 200 200
collection Securables role owner      | 400 200 200 200

# Account with Users, account own + Logged-in User: embed (which has no accounts), member, editor, owner
account Users caller none             | 404 404 404 403
account Users caller reader           | 404 403 403 403
account Users caller user             | 404 403 403 403
account Users caller modifier         | 404 403 403 403
account Users caller owner            | 404 200 200 200
# Account with Groups, account own + Group Member
account Groups group none             | 404 403 404 404
account Groups group reader           | 403 403 403 403
account Groups group modifier         | 403 403 403 403
account Groups group owner            | 403 403 200 200

# Theme with Organization and defaultTheme, Organization Owner: embed, member, editor, owner
theme defaultTheme caller none        | 404 403 403 200
theme Organization caller none        | 404 403 403 200

# Plugin with Organization, User and Thumbnail, plugin owner (here the editor, who made it) + member
plugin Organization caller none       |  no 403 200   -
plugin User caller none               |  no 403 200   -
plugin Thumbnail caller none          |  no 403 200   -

# A group's people are its owner's to change: outside, Organization Owner outside, member, owner of the group
group Users group none                | 403 403 403 200
`;

/* Membership flags of the organization: only an Organization Owner gives them, to nobody else and not to oneself. */
const promotions = `
# Organization with Users, Organization Owner: embed, member, editor, owner
organization Users caller none        | 404 403 403 200
# Nobody raises themselves
organization themselves caller none   |  no 403 403   -
`;

const bothActions: readonly Action[] = ['associate', 'dissociate'];

function pick<Word extends string>(words: readonly Word[], wanted: string | undefined): Word {
  const found = words.find((word) => word === wanted);
  if (found === undefined) throw new Error(`the table names an unknown word: ${wanted ?? ''}`);
  return found;
}

const variationNames = ['caller', 'role', 'useRole', 'group'] as const;
const firsts = ['dataset', 'dashboard', 'account', 'collection', 'group', 'organization', 'plugin', 'theme'] as const;

/**
 * Returns the 8 kinds x 4 roles on the dataset x 4 roles on the other record x 2 organizations of the table of roles.
 */
export function dissociationCells(): readonly LinkCell[] {
  return parseGrid(eightKinds, 3, 8).flatMap(({ head, cells, source }) =>
    cells.map((expected, index): LinkCell => {
      const elsewhere = index >= 4;
      const variation = elsewhere ? 'caller' : pick(variationNames, head[1]);
      return {
        first: 'dataset',
        level: pick(levels, head[2]),
        link: head[0] ?? '',
        variation,
        column: variations[variation][index % 4] ?? '',
        elsewhere,
        actions: bothActions,
        expected,
        source,
      };
    }),
  );
}

/** Returns the cells of the further pairs and of membership. */
export function furtherLinkCells(): readonly LinkCell[] {
  const read = (grid: string, actions: readonly Action[]): readonly LinkCell[] =>
    parseGrid(grid, 4, 4).flatMap(({ head, cells, source }) =>
      cells.flatMap((expected, index): readonly LinkCell[] => {
        if (expected === '-') return [];
        const variation = pick(variationNames, head[2]);
        const column = variations[variation][index] ?? '';
        const [first, level] = [pick(firsts, head[0]), pick(levels, head[3])];
        return [{ first, level, link: head[1] ?? '', variation, column, elsewhere: false, actions, expected, source }];
      }),
    );
  return [...read(furtherPairs, bothActions), ...read(promotions, ['associate'])];
}
