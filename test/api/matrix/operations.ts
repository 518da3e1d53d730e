import type { Actor } from '../../support/world.ts';
import { kinds, type Kind } from './bodies.ts';
import { documented } from './documented.ts';
import { parseGrid, type Expectation } from './grid.ts';
import { neighbours } from './neighbours.ts';

export const operations = ['create', 'get', 'search', 'update', 'delete'] as const;
export type Operation = (typeof operations)[number];

/** own: made by the actor itself. same: another's, in the actor's organization. other: in the other organization. */
export const relations = ['own', 'same', 'other'] as const;
export type Relation = (typeof relations)[number];

export interface Cell {
  readonly kind: Kind;
  readonly operation: Operation;
  readonly actor: Actor;
  readonly relation: Relation;
  readonly expected: Expectation;
  readonly source: string;
}

const columns = [
  'member',
  'editor',
  'owner',
  'admin',
  'reader',
  'user',
  'modifier',
  'entityOwner',
  'throughGroup',
  'throughCollection',
  'embedViewer',
  'embedDesigner',
  'ownerOfB',
] as const;

/** Without valid credentials everything is a 401, whatever is asked and of whom. */
const notSignedIn = ['anonymous', 'expired', 'revoked'] as const;

/*
 * Columns: the organization roles member, editor, owner, admin; members who hold read, use, modify, own on the shared
 * record; a member of a group that holds modify; a member with use on a collection that holds the shared dataset and
 * dashboard; embed tokens with read and with modify on these two; an owner of organization B, for whom "same" is B.
 * A create with the relation own, same or other refers to a record of that relation (its dataset, account, plugin …).
 * "get" rows are asked twice: by id, and as a search over everything.
 */

function pick<Word extends string>(words: readonly Word[], wanted: string | undefined): Word {
  const found = words.find((word) => word === wanted);
  if (found === undefined) throw new Error(`the matrix names an unknown word: ${wanted ?? ''}`);
  return found;
}

/**
 * Returns every cell of the table, read rows as both `get` and `search`, and the callers that are not signed in as 401.
 */
export function operationCells(): readonly Cell[] {
  const cells: Cell[] = [];
  for (const row of parseGrid(documented + neighbours, 3, columns.length)) {
    const kind = pick(kinds, row.head[0]);
    const named = pick(operations, row.head[1]);
    const relation = pick(relations, row.head[2]);
    for (const operation of named === 'get' ? (['get', 'search'] as const) : [named]) {
      columns.forEach((actor, column) => {
        const expected = row.cells[column] ?? '-';
        if (expected !== '-') cells.push({ kind, operation, actor, relation, expected, source: row.source });
      });
      if (relation === 'own') continue;
      for (const actor of notSignedIn) {
        // With INLAY_SIGNUP anyone may create a user, which makes a new organization.
        if (kind === 'user' && operation === 'create' && actor === 'anonymous') continue;
        cells.push({ kind, operation, actor, relation, expected: '401', source: 'No valid credentials' });
      }
    }
  }
  return cells;
}
