import { captionOf, fileName, isWithin, type CaseGroup, type OptionCase, type PicturedTable } from './case.ts';
import { caseGroups } from './cases.ts';
import { unpictured } from './unpictured.ts';

/** Returns the anchor of a heading. */
const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s-]/gu, '')
    .replaceAll(/\s/gu, '-');

/** What the table of members says of the picture of one: where it stands, or why there is none. */
export function pictureOf(table: PicturedTable, path: string): string {
  const group = caseGroups[table].find(({ cases }) =>
    cases.some(({ shows }) => shows.some((shown) => isWithin(shown, path))),
  );
  if (group !== undefined) return `[Shown](#${anchorOf(group.title)})`;
  const reason = Object.entries(unpictured[table]).find(([outer]) => isWithin(path, outer))?.[1];
  return reason === undefined ? '' : `None: ${reason}`;
}

const cell = (text: string): string => text.replaceAll('|', String.raw`\|`);

/** Letters in a line under a picture: about as wide as the picture, so that both pictures of a row are of one size. */
const lettersMost = 40;

/** JSON as lines of code, broken at its spaces. */
const codeLines = (text: string): string =>
  text
    .split(' ')
    .reduce<readonly string[]>((lines, word) => {
      const last = lines.at(-1);
      return last === undefined || last.length + word.length >= lettersMost
        ? [...lines, word]
        : [...lines.slice(0, -1), `${last} ${word}`];
    }, [])
    .map((line) => `\`${cell(line)}\``)
    .join('<br>');

function pictureCell(one: OptionCase, shot: 0 | 1): string {
  const alt = `${one.type}: ${one.seen[shot]}`;
  return `![${alt}](../pictures/options/${fileName(one, shot)})<br>${codeLines(captionOf(one, shot))}`;
}

const groupSection = ({ title, cases }: CaseGroup): string =>
  [
    `### ${title}`,
    '',
    '| Member | | |',
    '| --- | --- | --- |',
    ...cases.map((one) => {
      const names = one.shows.map((path) => `\`${path}\``).join('<br>');
      return `| ${names}<br>in \`${one.type}\` | ${pictureCell(one, 0)} | ${pictureCell(one, 1)} |`;
    }),
  ].join('\n');

/** Returns the pictures of the members of a table, under a heading for each group. */
export const pictureSections = (table: PicturedTable): string => caseGroups[table].map(groupSection).join('\n\n');
