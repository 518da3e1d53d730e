import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** A source file; `path` is relative to the repository, with forward slashes. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

interface Import {
  readonly target: string;
}

const service = 'packages/service/src/';
const contractIndex = 'packages/contract/src/index.ts';

/** The files that may touch the process they run in, each with the reason. */
export const mayTouchProcess: Readonly<Record<string, string>> = {
  [`${service}main.ts`]: 'reads the environment and arguments once, and ends the process',
};

const mayImportStores = [/^main\.ts$/, /^app\/store\/open-store\.ts$/, /^cli\//, /^store\//];

const isTest = ({ path }: SourceFile): boolean => path.endsWith('.test.ts');
const isProduct = (file: SourceFile): boolean => file.path.startsWith('packages/') && !isTest(file);

const importPattern =
  /^[ \t]*(?:import|export)\s+(?:type\s+)?(?:[^'"`;]*?\sfrom\s+)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/gm;

/** What a file imports: paths inside the repository where it can tell, otherwise the name as written. */
export const importsOf = ({ path, text }: SourceFile): readonly Import[] =>
  [...text.matchAll(importPattern)].map(([, static_ = '', dynamic = '']) => {
    const written = static_ === '' ? dynamic : static_;
    const here = posix.join(posix.dirname(path), written);
    const target = written.startsWith('.') ? here : written === '@inlay/contract' ? contractIndex : written;
    return { target };
  });

const matching = (files: readonly SourceFile[], pattern: RegExp, what: string): string[] =>
  files.flatMap(({ path, text }) => [...text.matchAll(pattern)].map(([found]) => `${path}: ${what} (${found.trim()})`));

const cycles = (files: readonly SourceFile[]): string[] => {
  const edges = new Map(files.map((file) => [file.path, importsOf(file).map(({ target }) => target)]));
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) found.push([...trail.slice(trail.indexOf(path)), path].join(' → '));
    if (done.has(path) || trail.includes(path)) return;
    for (const next of edges.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const { path } of files) visit(path, []);
  return found;
};

const folderOf = (path: string): string => posix.dirname(path);

/** Folders that import each other, unless one lies in the other; each pair once, with an import each way. */
const mutualFolders = (files: readonly SourceFile[]): string[] => {
  const imports = new Map<string, string>();
  for (const file of files)
    for (const { target } of importsOf(file)) {
      const [from, to] = [folderOf(file.path), folderOf(target)];
      if (target.endsWith('.ts') && !`${from}/`.startsWith(`${to}/`) && !`${to}/`.startsWith(`${from}/`))
        imports.set(`${from} → ${to}`, `${file.path} → ${target}`);
    }
  return [...imports].flatMap(([pair, example]) => {
    const [from = '', to = ''] = pair.split(' → ');
    const back = imports.get(`${to} → ${from}`);
    return back === undefined || from > to ? [] : [`${pair}: ${example}, and ${back}`];
  });
};

/** Folders that hold one kind of thing each, however many there are. */
const listsOfOneKind = new Set([
  `${service}resources`,
  `${service}store/migrations`,
  `${service}engine/child`,
  'packages/contract/src/item-types',
  'packages/embed/src/charts',
]);
const maxFiles = 15;

/** What the table of docs/map.md says that a folder of the service may import, by folder. */
export const mayImportOf = (map: string): ReadonlyMap<string, readonly string[]> =>
  new Map(
    [...map.matchAll(/^\| `([\w-]+)\/` +\|[^|]*\| ([^|]*?) +\|/gmu)].map(([, folder = '', names = '']) => [
      folder,
      names === '–' ? [] : names.split(', '),
    ]),
  );

/** Imports between the folders of the service that the map does not name, and folders that it leaves out. */
export const besideMap = (files: readonly SourceFile[], map: string): readonly string[] => {
  const allowed = mayImportOf(map);
  const roomOf = (path: string): string | null =>
    path.startsWith(service) ? (/^([\w-]+)\//.exec(path.slice(service.length))?.[1] ?? null) : null;
  return [
    ...new Set(
      files.filter(isProduct).flatMap((file) => {
        const room = roomOf(file.path);
        if (room === null) return [];
        if (!allowed.has(room)) return [`${room} is not on the map`];
        const others = importsOf(file).flatMap(({ target }) => roomOf(target) ?? []);
        return others
          .filter((other) => other !== room && allowed.get(room)?.includes(other) !== true)
          .map((other) => `${room} imports ${other}`);
      }),
    ),
  ];
};

const emptyWords = new Set(['manager', 'managers', 'helper', 'helpers', 'util', 'utils', 'common']);
const wordsOf = (name: string): string[] => name.split(/[^A-Za-z]|(?=[A-Z])/).map((word) => word.toLowerCase());
const isEmptyName = (name: string): boolean => wordsOf(name).some((word) => emptyWords.has(word));
const declared = /^export\s+(?:abstract\s+|async\s+)*(?:const|class|function\*?|interface|type)\s+(\w+)/gm;

/** Endings of participles, and those without one. A type named by one says what was done, not what the thing is. */
const participle =
  /^(?:export )?(?:declare )?(?:abstract )?(?:type|interface|class) ((?:[A-Z][a-z]*(?:ed|ing)|Begun|Bound|Built|Chosen|Drawn|Found|Given|Held|Hidden|Kept|Known|Left|Lost|Made|Meant|Read|Said|Seen|Sent|Shown|Spent|Spoken|Taken|Told|Written))\b/gm;
/** Nouns of the field that look like participles. */
const nouns = new Set([
  'Drawing',
  'Finding',
  'Grouping',
  'Heading',
  'Keyring',
  'Mapping',
  'Need',
  'Setting',
  'Warning',
]);

/**
 * Files that memoise at module level, and what for; a measurement justified each. A table that follows from constants alone
 * may besides be made on its first use, in an object called `cache` to which `??=` adds it once.
 */
const mayMemoise: Readonly<Record<string, string>> = {
  [`${service}callers/facts.ts`]: 'statements by dialect, and callers parsed from the same text',
  [`${service}callers/identify.ts`]: 'statements by dialect',
  [`${service}aichart/understand.ts`]: 'the profile of a dataset and the words of recent questions, by the dataset',
  [`${service}aichart/read/mentions.ts`]: 'how similar recent words are to the names of a dataset, by the names',
  [`${service}aichart/vocabulary/concepts.ts`]: 'the meanings of words, and those of recent ones',
  [`${service}aichart/vocabulary/related-words.ts`]: 'the table of words, and how related recent pairs are',
  [`${service}export/drawing/font-measure.ts`]: 'the bundled fonts and widths of their letters, by path',
  [`${service}resource/tables.ts`]: 'the parsed record, by the stored one',
  [`${service}search/find-one.ts`]: 'statements by id, by their caller',
  [`${service}store/sql.ts`]: 'rendered texts, by the parts of a template',
};

/** What a line of SQL has: a statement's words, or a function that only SQL has. */
const statement = new RegExp(
  [
    'sql`',
    String.raw`\bselect\b.*\bfrom\b`,
    String.raw`\binsert into\b`,
    String.raw`\bcreate (?:or replace )?(?:temp )?(?:unique )?(?:table|index|trigger|view|type|macro)\b`,
    String.raw`\bupdate\b.*\bset\b`,
    String.raw`\bdelete from\b`,
    String.raw`\bcoalesce\(`,
    String.raw`\bselect (?:json_array|unnest)\(`,
  ].join('|'),
  'iu',
);

/** The files whose lines of SQL may be longer, each with the reason. */
export const longStatements: Readonly<Record<string, string>> = {
  'packages/query/src/plan.test.ts': 'SQL as the compiler writes it, on one line',
  'test/support/hostile-sql.ts': 'statements that are sent as they are',
  'test/support/sql-grammar.ts': 'statements that are sent as they are',
};

/** The rules of the source, each a function from all files to what breaks it, in words. */
export const rules = {
  'only main.ts touches the process': (files) =>
    matching(
      files.filter((file) => isProduct(file) && mayTouchProcess[file.path] === undefined),
      /\bprocess\.(?:exit|exitCode|env|argv|kill|abort|chdir|on|once)\b|from 'node:process'/g,
      'touches the process',
    ),
  'nothing is exported as default': (files) =>
    matching(
      files.filter(({ path }) => !path.endsWith('.config.ts')),
      /^export\s+default\b|^export\s*\{[^}]*\bas\s+default\b/gm,
      'a default export',
    ),
  'modules do not import each other in a circle': (files) => cycles(files.filter((file) => !isTest(file))),
  'no two folders import each other': (files) => mutualFolders(files.filter(isProduct)),
  'no folder has more than 15 files, but lists of one kind': (files) => {
    const counts = new Map<string, number>();
    for (const { path } of files.filter(isProduct)) counts.set(folderOf(path), (counts.get(folderOf(path)) ?? 0) + 1);
    return [...counts].flatMap(([folder, count]) =>
      count > maxFiles && !listsOfOneKind.has(folder) ? [`${folder}: ${count} files`] : [],
    );
  },
  'no line of SQL is over 140 characters': (files) =>
    files
      .filter(({ path }) => longStatements[path] === undefined)
      .flatMap(({ path, text }) =>
        text
          .split('\n')
          .flatMap((line, index) => (line.length > 140 && statement.test(line) ? [`${path}:${index + 1}`] : [])),
      ),
  'the contract imports nothing but itself': (files) =>
    files
      .filter((file) => isProduct(file) && file.path.startsWith('packages/contract/'))
      .flatMap((file) =>
        importsOf(file)
          .filter(({ target }) => !target.startsWith('packages/contract/src/'))
          .map(({ target }) => `${file.path}: imports ${target}`),
      ),
  'nothing is called manager, helper, util or common': (files) =>
    files.flatMap(({ path, text }) => [
      ...(isEmptyName(path) ? [`${path}: says nothing`] : []),
      ...[...text.matchAll(declared)].flatMap(([, name = '']) => (isEmptyName(name) ? [`${path}: ${name}`] : [])),
    ]),
  'stores are imported only where the service is put together': (files) =>
    files
      .filter((file) => isProduct(file) && file.path.startsWith(service))
      .filter(({ path }) => !mayImportStores.some((pattern) => pattern.test(path.slice(service.length))))
      .flatMap((file) =>
        importsOf(file)
          .filter(({ target }) => /^packages\/service\/src\/store\/(?:sqlite|postgres)\//.test(target))
          .map(({ target }) => `${file.path}: imports ${target}`),
      ),
  'modules memoise only where listed': (files) => [
    ...matching(
      files.filter(isProduct),
      /^const (?!cache\b)\w+: \{[^}\n]*\?:[^\n]* = \{/gm,
      'memoises at module level',
    ),
    ...matching(files.filter(isProduct), /\bcache(?:\.\w+|\[\w+\]) = /g, 'changes a table'),
    ...matching(
      files.filter((file) => isProduct(file) && mayMemoise[file.path] === undefined),
      /^(?:export )?const \w+(?:: (?!Readonly)[^=\n]+)? = (?:new (?:Weak)?(?:Map|Set)(?:<[^\n]*>)?\(\)|(?:recent|remembered)[<(])/gm,
      'memoises at module level',
    ),
  ],
  'types are nouns, no bare participles': (files) =>
    files
      .filter(isProduct)
      .flatMap(({ path, text }) =>
        [...text.matchAll(participle)].flatMap(([, name = '']) => (nouns.has(name) ? [] : [`${path}: ${name}`])),
      ),
  'modules hold no state and are not imported for their effects': (files) => [
    ...matching(files.filter(isProduct), /^(?:export\s+)?(?:let|var)\s+\w+/gm, 'module state'),
    ...matching(files.filter(isProduct), /^import\s+['"][^'"]+['"]/gm, 'imported for its effects'),
  ],
} satisfies Record<string, (files: readonly SourceFile[]) => string[]>;

/** Reads every TypeScript file of the repository at `root`. */
export const readSource = (root: string): readonly SourceFile[] =>
  globSync(['packages/*/src/**/*.ts', '{test,bench,scripts,examples}/**/*.ts', '*.ts'], { cwd: root })
    .filter((path) => !path.includes('node_modules'))
    .map((path) => ({ path: path.replaceAll('\\', '/'), text: readFileSync(join(root, path), 'utf8') }));
