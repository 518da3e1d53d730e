import type { World } from '../../support/world.ts';
import { askRefusals, refusalsByGroup, wrongWith, type Question } from './ask.ts';
import type { Findings } from './ask-operations.ts';
import { resourceOf, type Kind } from './bodies.ts';
import type { Action, LinkCell } from './dissociate.ts';
import { refuses } from './grid.ts';
import { callerOf, firstOf, otherOf, type Scene } from './scene.ts';

type Asked = LinkCell & { readonly action: Action };

/** Flags that go with an association: rights (which no link of people may lack), membership, or promotion. */
function propertiesOf({ first, link, action }: Asked): object {
  if (action === 'dissociate') return {};
  if (link === 'themselves') return { properties: { flagOwner: true } };
  if (first === 'group' || first === 'organization') return { properties: { flagMember: true } };
  const rights = first === 'dataset' || first === 'dashboard' || first === 'account';
  return rights && (link === 'Users' || link === 'Groups') ? { properties: { flagRead: true } } : {};
}

/**
 * Links whose roles suffice but whose outcome the documents leave open: whether a column, schedule or share moves to
 * another securable, and whether a theme or plugin may be without an organization. A 200 or a 400, never a 403 or 404.
 */
const openOutcome = ({ link, action, first }: Asked): boolean =>
  action === 'associate'
    ? link === 'Columns' || link === 'Schedule' || link === 'Share'
    : link === 'Organization' && (first === 'theme' || first === 'plugin');

async function question(world: World, scene: Scene, asked: Asked): Promise<Question> {
  const { first, level, link, column, action, elsewhere, expected, source } = asked;
  const caller = callerOf(asked);
  const where = elsewhere ? 'the other organization' : 'the same organization';
  const role = link === 'themselves' ? 'Users' : link;
  return {
    name: `${action} ${first} (${level}) with ${role} (${column} of ${where}) by ${caller}`,
    source,
    resource: resourceOf(first),
    body: {
      action,
      id: firstOf(world, scene, asked),
      resource: { role, id: await otherOf(world, scene, asked) },
      ...propertiesOf(asked),
    },
    credential: scene.credentials[caller],
    expected,
    outcomeOpen: openOutcome(asked),
  };
}

const kindsOfLinks: Readonly<Record<string, Kind>> = {
  Schedule: 'schedule',
  Share: 'share',
  Integrations: 'integration',
  EmbedFilterGroups: 'embedfiltergroup',
  Thumbnail: 'image',
};

/** Asks every link cell, refusals first, then each association that stands followed by its dissociation. */
export async function askLinks(
  world: World,
  scene: Scene,
  cells: readonly LinkCell[],
  notBuilt: readonly Kind[],
): Promise<Findings> {
  const built = cells.filter(({ first, link }) => {
    const other = kindsOfLinks[link];
    return !notBuilt.includes(first) && (other === undefined || !notBuilt.includes(other));
  });
  const all = built.flatMap((cell) => cell.actions.map((action): Asked => ({ ...cell, action })));
  const wrong: string[] = [];
  for (const [group, refused] of refusalsByGroup(all, ({ first, level, link }) => `${first} (${level}) with ${link}`)) {
    const questions: Question[] = [];
    for (const asked of refused) questions.push(await question(world, scene, asked));
    wrong.push(...(await askRefusals(world, group, questions)));
  }
  for (const asked of all.filter(({ expected }) => !refuses(expected))) {
    const fault = await wrongWith(world.service, await question(world, scene, asked));
    if (fault !== undefined) wrong.push(fault);
  }
  return { cells: all.length, wrong };
}
