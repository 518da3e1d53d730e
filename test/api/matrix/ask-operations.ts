import { otherPlace, placeOf, type World } from '../../support/world.ts';
import { askRefusals, refusalsByGroup, wrongWith, type Question } from './ask.ts';
import { change, creation, reachingCreation, resourceOf, type Kind, type Reference } from './bodies.ts';
import { refuses } from './grid.ts';
import { operationCells, type Cell } from './operations.ts';

const referenceOf = (world: World, { actor, relation }: Cell): Reference => {
  if (relation === 'own') return (kind) => world.own(kind, actor);
  const place = relation === 'same' ? placeOf(actor) : otherPlace(placeOf(actor));
  return (kind) => world.shared(kind, place);
};

/**
 * Returns a record that the cell may delete. An organization has one SSO configuration, so that one is taken and made
 * again.
 */
async function expendable(world: World, cell: Cell): Promise<string> {
  if (cell.kind === 'ssoconfig') return world.renew('ssoconfig', placeOf(cell.actor));
  if (cell.relation === 'own') return world.makeOwn(cell.kind, cell.actor);
  return world.make(cell.kind, placeOf(cell.actor));
}

async function bodyOf(world: World, cell: Cell): Promise<{ readonly body: object; readonly record?: string }> {
  const to = referenceOf(world, cell);
  if (cell.operation === 'create') {
    const make = cell.relation === 'other' ? reachingCreation : creation;
    return { body: { action: 'create', properties: await make(cell.kind, to) } };
  }
  if (cell.operation === 'search') return { body: { find: {} }, record: await to(cell.kind) };
  const deletes = cell.operation === 'delete';
  const record = deletes && cell.expected === '200' ? await expendable(world, cell) : await to(cell.kind);
  if (cell.operation === 'get') return { body: { action: 'get', find: { where: { id: record } } }, record };
  if (deletes) return { body: { action: 'delete', id: record } };
  return { body: { action: 'update', id: record, properties: change(cell.kind) } };
}

async function question(world: World, cell: Cell): Promise<Question> {
  const { kind, operation, actor, relation, expected, source } = cell;
  const asked = await bodyOf(world, cell);
  const name = `${kind} ${operation} by ${actor} (${relation})`;
  return { name, source, expected, resource: resourceOf(kind), credential: world.credential(actor), ...asked };
}

/** Makes every record that the cells share, so that asking makes none. */
async function prepare(world: World, cells: readonly Cell[]): Promise<void> {
  for (const cell of cells) {
    const to = referenceOf(world, cell);
    if (cell.kind === 'aichart') await to('column');
    if (cell.operation === 'create') await bodyOf(world, cell);
    else await to(cell.kind);
  }
}

/** Reads first, deletes last: a wrong success then spoils as little as possible. */
const order = ({ operation }: Cell): number => ['get', 'search', 'create', 'update', 'delete'].indexOf(operation);

export interface Findings {
  readonly cells: number;
  readonly wrong: readonly string[];
}

/**
 * Asks every cell of the table but those of kinds that are not built yet: first all refusals, which share their records
 * and must leave the store as it is, then the calls that succeed, those that delete on records of their own.
 */
export async function askOperations(world: World, notBuilt: readonly Kind[]): Promise<Findings> {
  const cells = operationCells().filter((cell) => !notBuilt.includes(cell.kind));
  await prepare(world, cells);
  const wrong: string[] = [];
  const groups = refusalsByGroup(cells, (cell) => `${cell.kind} ${cell.operation} (${cell.relation})`);
  for (const [group, refused] of groups) {
    const questions: Question[] = [];
    for (const cell of refused) questions.push(await question(world, cell));
    wrong.push(...(await askRefusals(world, group, questions)));
  }
  const rest = cells.filter((cell) => !refuses(cell.expected));
  for (const cell of rest.toSorted((one, two) => order(one) - order(two))) {
    const fault = await wrongWith(world.service, await question(world, cell));
    if (fault !== undefined) wrong.push(fault);
  }
  return { cells: cells.length, wrong };
}
