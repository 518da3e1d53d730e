import { isObject, type Json, type JsonObject } from '@inlay/contract';
import type { Association, Resource } from '../../resource/define.ts';
import { linkName, storedSide } from '../../resource/registry.ts';
import { sql } from '../../store/sql.ts';
import type { Row } from '../../store/store.ts';
import type { Grantor, WriteContext } from '../context.ts';

/** A link, seen from the record whose resource stores it. */
export interface Side {
  readonly declared: Association;
  readonly stored: string;
  readonly owner: Resource;
  readonly firstId: string;
  readonly targetId: string;
}

export function sideOf(
  context: WriteContext,
  resource: Resource,
  id: string,
  role: string,
  association: Association,
  targetId: string,
): Side {
  const { registry } = context.environment;
  const { stored, reversed } = linkName(resource, role, association);
  const declared = storedSide(registry, association);
  return reversed
    ? { declared, stored, owner: registry.resource(association.to), firstId: targetId, targetId: id }
    : { declared, stored, owner: resource, firstId: id, targetId };
}

/** A link that already exists, before a change. */
export interface StandingLink {
  readonly level: number | null;
  readonly properties: JsonObject;
  readonly grantor: Grantor;
}

const wordIn = (row: Row, column: string): string | null => {
  const value = row[column];
  return typeof value === 'string' ? value : null;
};

export async function standingLink(
  { transaction }: WriteContext,
  { firstId, stored, targetId }: Side,
): Promise<StandingLink | null> {
  const rows = await transaction.rows(
    sql`select level, properties, giver_id, given from link where first_id = ${firstId}
      and target_id = ${targetId} and association = ${stored}`,
  );
  const [row] = rows;
  if (row === undefined) return null;
  const properties: Json = typeof row['properties'] === 'string' ? JSON.parse(row['properties']) : {};
  const level = row['level'];
  const grantor = { grantorId: wordIn(row, 'giver_id'), filters: wordIn(row, 'given') };
  return {
    level: typeof level === 'number' ? level : null,
    properties: isObject(properties) ? properties : {},
    grantor,
  };
}
