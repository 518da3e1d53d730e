import type { Credential } from '../../support/service.ts';
import type { World } from '../../support/world.ts';
import { creation, type Kind } from './bodies.ts';
import { levels, type Caller, type Level, type LinkCell } from './dissociate.ts';

const flags: Readonly<Record<Exclude<Level, 'none'>, object>> = {
  reader: { flagRead: true },
  user: { flagUse: true },
  modifier: { flagModify: true },
  owner: { flagOwner: true },
};
const embedRights = [
  ['reader', 'read'],
  ['user', 'use'],
  ['modifier', 'modify'],
  ['owner', 'own'],
] as const;

/** One record for each level, on which each of the callers holds that right. */
export type Ladder = Readonly<Record<Level, string>>;

/** The callers of the link tables with their rights: everything in A, made by its founder. */
export interface Scene {
  readonly credentials: Readonly<Record<Caller, Credential>>;
  readonly userIds: Readonly<Record<'member' | 'editor' | 'owner', string>>;
  readonly dataset: Ladder;
  readonly dashboard: Ladder;
  readonly account: Ladder;
  readonly collection: Ladder;
  /** Further datasets and dashboards, to be linked to the first ones, or to hold what is linked to them. */
  readonly homeDataset: Ladder;
  readonly homeDashboard: Ladder;
  readonly groups: Readonly<Record<'outside' | 'groupMember' | 'groupOwner', string>>;
  /** Somebody who is given rights and memberships. */
  readonly target: string;
  readonly theme: string;
  /** A plugin and a picture that the editor made. */
  readonly plugin: string;
  readonly image: string;
}

async function ladder(world: World, kind: Kind, people: readonly string[]): Promise<Ladder> {
  const made = { none: '', reader: '', user: '', modifier: '', owner: '' };
  for (const level of levels) {
    const id = await world.create(
      kind,
      await creation(kind, () => Promise.resolve('')),
      world.organization('A').founder,
    );
    made[level] = id;
    if (level === 'none') continue;
    for (const person of people) await world.link('A', kind, id, 'Users', person, flags[level]);
  }
  return made;
}

/** Builds the scene in an organization A that is there already. */
export async function buildScene(world: World): Promise<Scene> {
  const { id: organization, founder } = world.organization('A');
  const nothing = (): Promise<string> => Promise.resolve('');
  const member = await world.person('A', { flagMember: true });
  const editor = await world.person('A', { flagEditor: true });
  const owner = await world.person('A', { flagOwner: true });
  const target = await world.person('A');
  const everyone = [member.id, editor.id, owner.id];
  const [dataset, dashboard] = [await ladder(world, 'dataset', everyone), await ladder(world, 'dashboard', everyone)];
  const access = {
    datasets: embedRights.map(([level, right]) => ({ id: dataset[level], rights: right })),
    dashboards: embedRights.map(([level, right]) => ({ id: dashboard[level], rights: right })),
  };
  const group = async (): Promise<string> => world.create('group', await creation('group', nothing), founder);
  const groups = { outside: await group(), groupMember: await group(), groupOwner: await group() };
  await world.link('A', 'group', groups.groupMember, 'Users', member.id, { flagMember: true });
  await world.link('A', 'group', groups.groupOwner, 'Users', member.id, { flagOwner: true });
  const plugin = await world.create('plugin', await creation('plugin', nothing), editor.login);
  await world.must(
    'plugin',
    { action: 'associate', id: plugin, resource: { role: 'Organization', id: organization } },
    editor.login,
  );
  return {
    credentials: {
      embed: await world.embedToken('owner', access),
      member: member.login,
      editor: editor.login,
      owner: owner.login,
    },
    userIds: { member: member.id, editor: editor.id, owner: owner.id },
    dataset,
    dashboard,
    account: await ladder(world, 'account', everyone),
    collection: await ladder(world, 'collection', everyone),
    homeDataset: await ladder(world, 'dataset', everyone),
    homeDashboard: await ladder(world, 'dashboard', everyone),
    groups,
    target: target.id,
    theme: await world.create('theme', await creation('theme', nothing), founder),
    plugin,
    image: await world.create('image', await creation('image', nothing), editor.login),
  };
}

/** Who asks the cell's question. */
export function callerOf({ variation, column }: LinkCell): Caller {
  if (variation === 'group') return column === 'ownerOutside' ? 'owner' : 'member';
  if (variation !== 'caller') return 'member';
  return column === 'embed' || column === 'editor' || column === 'owner' ? column : 'member';
}

const groupOf = (scene: Scene, column: string): string =>
  column === 'groupMember' || column === 'groupOwner' ? scene.groups[column] : scene.groups.outside;

const onLadder = (ladderOf: Ladder, column: string): string =>
  ladderOf[levels.find((level) => level === column) ?? 'none'];

/** Returns the first record of the cell. */
export function firstOf(world: World, scene: Scene, cell: LinkCell): string {
  if (cell.first === 'organization') return world.organization('A').id;
  if (cell.first === 'group') return groupOf(scene, cell.column);
  if (cell.first === 'theme' || cell.first === 'plugin') return scene[cell.first];
  return scene[cell.first][cell.level];
}

const kindOfLink: Readonly<Record<string, Kind>> = {
  Users: 'user',
  favorites: 'user',
  Groups: 'group',
  Tags: 'tag',
  Schedule: 'schedule',
  Collections: 'collection',
  Columns: 'column',
  EmbedFilterGroups: 'embedfiltergroup',
  Integrations: 'integration',
};

/**
 * Returns the other record of the cell. What a link moves or deletes is new each time when the cell expects success.
 */
export async function otherOf(world: World, scene: Scene, cell: LinkCell): Promise<string> {
  const { link, column } = cell;
  const kind = kindOfLink[link];
  if (cell.elsewhere && kind) return world.shared(kind, 'B');
  const caller = callerOf(cell);
  const self = caller === 'embed' ? scene.target : scene.userIds[caller];
  const home = async (made: Kind, ladderOf: Ladder): Promise<string> => {
    const properties = await creation(made, () => Promise.resolve(onLadder(ladderOf, column)));
    return world.create(made, properties, world.organization('A').founder);
  };
  switch (link) {
    case 'Users':
    case 'User':
      return scene.target;
    case 'favorites':
    case 'themselves':
      return self;
    case 'Groups':
      return groupOf(scene, column);
    case 'Schedule':
      return home('schedule', scene.homeDataset);
    case 'Columns':
      return home('column', scene.homeDataset);
    case 'Share':
      return home('share', scene.homeDashboard);
    case 'Collections':
      return onLadder(scene.collection, column);
    case 'Datasets':
    case 'Securables':
      return onLadder(scene.homeDataset, column);
    case 'Dashboards':
    case 'variants':
    case 'original':
      return onLadder(scene.homeDashboard, column);
    case 'Thumbnail':
      return scene.image;
    case 'Organization':
    case 'defaultTheme':
      return world.organization('A').id;
    default:
      if (kind) return world.shared(kind, 'A');
      throw new Error(`no record for the link ${link}`);
  }
}
