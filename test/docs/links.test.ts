import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Returns a page without its blocks of code, in which `#` and brackets mean something else. */
const proseOf = (text: string): string => text.replaceAll(/^ *```[^]*?^ *```/gmu, '');

/** Returns the anchors that GitHub gives the headings of a page. */
function anchorsOf(text: string): ReadonlySet<string> {
  const seen = new Map<string, number>();
  return new Set(
    [...proseOf(text).matchAll(/^#+ +(?<heading>.+)$/gmu)].map(({ groups }) => {
      const slug = (groups?.['heading'] ?? '')
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .trim()
        .replaceAll(/\s/gu, '-');
      const times = seen.get(slug) ?? 0;
      seen.set(slug, times + 1);
      return times === 0 ? slug : `${slug}-${times}`;
    }),
  );
}

/** Links of a page that lead to no file, or to no heading of it. */
function deadLinks(path: string, text: string): readonly string[] {
  const links = [...proseOf(text).matchAll(/\]\((?<to>[^)\s]+)\)/gu)].map(({ groups }) => groups?.['to'] ?? '');
  return links.flatMap((link) => {
    if (/^[a-z]+:/u.test(link)) return [];
    const [file = '', anchor] = link.split('#');
    const target = file === '' ? path : relative(root, join(root, dirname(path), file));
    if (!existsSync(join(root, target))) return [`${path}: ${link}`];
    if (anchor === undefined || !target.endsWith('.md')) return [];
    return anchorsOf(target === path ? text : read(target)).has(anchor) ? [] : [`${path}: ${link}`];
  });
}

/** Mentions of `specification/<page>#<anchor>` in a source file that lead nowhere. */
const deadMentions = (path: string, text: string): readonly string[] =>
  [...text.matchAll(/specification\/(?<page>[a-z-]+)(?:\.md)?#(?<anchor>[a-z0-9-]+)/gu)].flatMap(
    ({ 0: link, groups }) => {
      const page = `docs/specification/${groups?.['page'] ?? ''}.md`;
      const isThere = existsSync(join(root, page)) && anchorsOf(read(page)).has(groups?.['anchor'] ?? '');
      return isThere ? [] : [`${path}: ${link}`];
    },
  );

const pages = globSync(['*.md', 'docs/**/*.md', 'packages/*/README.md', 'examples/**/*.md'], { cwd: root }).filter(
  (path) => !path.includes('node_modules'),
);
const sources = globSync(['packages/*/src/**/*.ts', 'test/**/*.ts'], { cwd: root }).filter(
  (path) => !path.includes('node_modules') && !path.endsWith('links.test.ts'),
);

describe('a link', () => {
  test('of a page leads to a file and a heading', () => {
    expect(pages.length).toBeGreaterThan(40);
    expect(pages.flatMap((path) => deadLinks(path, read(path)))).toEqual([]);
  });

  test('of a source file to the specification leads to a heading', () => {
    const found = sources.flatMap((path) => [...read(path).matchAll(/specification\/[a-z-]+#[a-z]/gu)]);
    expect(found.length).toBeGreaterThan(70);
    expect(sources.flatMap((path) => deadMentions(path, read(path)))).toEqual([]);
  });

  test('that is broken is found', () => {
    expect(
      deadLinks('docs/map.md', '[a](no-such-page.md) [b](performance.md#no-such-heading) [c](#nowhere)'),
    ).toHaveLength(3);
    expect(deadLinks('docs/map.md', '# A heading, twice\n[a](#a-heading-twice) [b](https://example.com)')).toEqual([]);
    expect(deadMentions('a.ts', '// specification/rights#no-such-heading')).toHaveLength(1);
    expect(deadMentions('a.ts', '// specification/rights#owners')).toEqual([]);
  });
});

describe('the specification', () => {
  test('lists every one of its pages', () => {
    const index = read('docs/specification/README.md');
    const listed = [...index.matchAll(/\]\((?<page>[a-z-]+\.md)\)/gu)].map(({ groups }) => groups?.['page']);
    const there = globSync('*.md', { cwd: join(root, 'docs/specification') }).filter((name) => name !== 'README.md');
    expect(new Set(listed)).toEqual(new Set(there));
  });

  test('has a glossary in alphabetical order, each term once', () => {
    const rows = [...read('docs/glossary.md').matchAll(/^\| (?<term>[a-z][^|]*?) +\| (?<meaning>[^|]+) \|$/gimu)];
    const terms = rows.map(({ groups }) => (groups?.['term'] ?? '').toLowerCase()).filter((term) => term !== 'term');
    expect(terms.length).toBeGreaterThan(60);
    expect(terms).toEqual([...new Set(terms)].toSorted());
  });
});
