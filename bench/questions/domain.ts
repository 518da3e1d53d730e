import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const languages = ['en', 'nl', 'fr', 'de', 'es'] as const;
export type Language = (typeof languages)[number];

export const questionKinds = [
  'plain',
  'condition',
  'exclusion',
  'either',
  'comparison',
  'computed',
  'parts',
  'follow-up',
  'chart',
  'vocabulary',
  'ambiguous',
  'cannot',
] as const;
export type QuestionKind = (typeof questionKinds)[number];

/** How the values of a column are made; `nulls` is the share of rows without one. */
export type ColumnValues = { readonly nulls?: number } & (
  | { readonly serial: number; readonly prefix?: string }
  | { readonly pick: readonly string[] | Readonly<Record<string, number>> }
  | { readonly pool: number; readonly prefix: string }
  | { readonly match: string; readonly map: Readonly<Record<string, string | number>> }
  | { readonly yes: number; readonly words?: readonly [string, string]; readonly factor?: Factors }
  | {
      readonly range: readonly [number, number];
      readonly skew?: number;
      readonly decimals?: number;
      readonly factor?: Factors;
      readonly times?: readonly string[];
    }
  | {
      readonly time: {
        readonly from?: string;
        readonly growth?: number;
        readonly weekdays?: readonly number[];
        readonly months?: readonly number[];
        readonly hours?: readonly number[];
      };
    }
  | { readonly after: string; readonly days: readonly [number, number] }
);

/** Multipliers by the value of another column. */
export type Factors = Readonly<Record<string, Readonly<Record<string, number>>>>;

export interface BenchColumn {
  readonly name: string;
  readonly label?: string;
  readonly type: 'hierarchy' | 'numeric' | 'datetime';
  readonly values: ColumnValues;
}

export interface BenchTable {
  readonly name: string;
  readonly label?: string;
  /** The language of the labels; English by default. */
  readonly language?: Language;
  readonly rows: number;
  readonly columns: readonly BenchColumn[];
}

export interface Question {
  readonly id: string;
  readonly language: Language;
  readonly kind: QuestionKind;
  readonly text: string;
  /** Name of the table to query; needed only if the question has no `sql`. */
  readonly table?: string;
  readonly sql?: string;
  readonly alternatives?: readonly string[];
  /** Words in braces of the SQL with what may stand there; each combination is a right reading. */
  readonly readings?: Readonly<Record<string, readonly string[]>>;
  /**
   * What may be shown otherwise: shares as `percent`, further `measures` beside the right one, or the whole values of
   * `parts` in a chart that draws them as parts of a circle.
   */
  readonly accepts?: readonly ('percent' | 'measures' | 'parts')[];
  readonly rows?: 'comparison' | 'growth' | 'values' | 'none';
  readonly chart?: 'histogram' | 'map' | 'funnel' | 'scatter' | 'target' | 'heat';
  readonly cannot?: boolean;
  readonly ambiguous?: boolean;
  readonly after?: string;
}

export interface Domain {
  readonly name: string;
  readonly today: string;
  readonly tables: readonly BenchTable[];
  readonly questions: readonly Question[];
}

/** Folders of questions: the engine was improved on `domains`, but not on `held-out`. */
export const domainFolders = ['domains', 'held-out'] as const;
export type DomainFolder = (typeof domainFolders)[number];

/** The domains of a folder by name, in the order of the alphabet. */
export function readDomains(folderName: DomainFolder): Domain[] {
  const folder = join(import.meta.dirname, folderName);
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .toSorted()
    .map((file) => {
      const domain: Omit<Domain, 'name'> = JSON.parse(readFileSync(join(folder, file), 'utf8'));
      return { name: file.slice(0, -'.json'.length), ...domain };
    });
}

/** Returns the name of the table that a question is about: `table`, else the first table in its SQL. */
export function tableOf(domain: Domain, { table, sql }: Question): string {
  return table ?? / from (\w+)/u.exec(sql ?? '')?.[1] ?? domain.tables[0]?.name ?? '';
}

const grains = ['month', 'quarter', 'year', 'week', 'day'];

/**
 * Every SQL whose rows are a right answer, the first reading first. `{grain}` stands for any grain and
 * `{last 8 week sold_at}` for the whole periods before this one, those up to today, or the days up to today.
 */
export function acceptedSql(question: Question, today: string): string[] {
  const texts = [...(question.sql === undefined ? [] : [question.sql]), ...(question.alternatives ?? [])];
  return texts.flatMap((text) => {
    const readings = Object.entries({ grain: grains, ...question.readings, ...lastSpans(text, today) });
    return readings.reduce(
      (versions, [word, choices]) =>
        versions.flatMap((version) =>
          version.includes(`{${word}}`) ? choices.map((choice) => version.replaceAll(`{${word}}`, choice)) : [version],
        ),
      [text],
    );
  });
}

function lastSpans(text: string, today: string): Record<string, string[]> {
  const spans: Record<string, string[]> = {};
  for (const [, word, count, unit, column] of text.matchAll(/\{(last (\d+) (\w+) (\w+))\}/g)) {
    if (word === undefined) continue;
    const now = `timestamp '${today}'`;
    const current = `date_trunc('${unit}', ${now})`;
    const back = `interval ${count} ${unit}`;
    spans[word] = [
      `(${column} >= ${current} - ${back} and ${column} < ${current})`,
      `(${column} >= ${current} - ${back} + interval 1 ${unit} and ${column} < ${now} + interval 1 day)`,
      `(${column} >= ${now} - ${back} and ${column} < ${now} + interval 1 day)`,
      `(${column} >= ${now} - ${back} + interval 1 day and ${column} < ${now} + interval 1 day)`,
      `(${column} >= ${now} - ${back} and ${column} < ${now})`,
    ];
  }
  return spans;
}
