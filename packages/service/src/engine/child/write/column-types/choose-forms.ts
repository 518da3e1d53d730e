import type { DuckDBConnection } from '@duckdb/node-api';
import { cellKinds } from '../../../../cells/cells.ts';
import type { IngestNotice, WrittenForms } from '../../../engine.ts';
import { literal } from '../../quote.ts';
import { numberFlags, timeFlags } from './fits.ts';
import { families, misfit, readFlags, type Family, type Question } from './flags.ts';
import { comma, dateForms, numberForm, point, thousandsBeside, timeForm, type TextForm } from '../../text-forms.ts';

/** Readings of numbers and of times that are looked for: all, or those that somebody named. */
interface SoughtForms {
  readonly number: readonly TextForm[];
  readonly time: readonly TextForm[];
  readonly isNumberNamed: boolean;
  readonly isTimeNamed: boolean;
}

function soughtForms({ decimal, thousands, datePattern }: WrittenForms): SoughtForms {
  const signs = (['.', ','] as const).filter((sign) => sign === (decimal ?? sign) && sign !== thousands);
  const named = signs.map((sign) => numberForm(sign, thousands === undefined ? thousandsBeside[sign] : [thousands]));
  const isNumberNamed = decimal !== undefined || thousands !== undefined;
  return {
    number: isNumberNamed ? named : [point, comma],
    time: datePattern === undefined ? dateForms : [timeForm(datePattern)],
    isNumberNamed,
    isTimeNamed: datePattern !== undefined,
  };
}

/** A column that may be read in another way than programs write. */
interface Suspect {
  readonly question: Question;
  readonly flags: ReadonlyMap<Family, number | null>;
}

/** What all cells of a suspect say. */
interface Evidence {
  readonly suspect: Suspect;
  /** Readings that fit every cell. */
  readonly fits: readonly TextForm[];
  /** Whether every cell is a number as programs write it. */
  readonly isPlain: boolean;
  readonly hasPoint: boolean;
  readonly hasComma: boolean;
  /** Whether a whole part of four digits or more has no separators. */
  readonly hasUngrouped: boolean;
  /** Whether spaces or apostrophes separate digits. */
  readonly hasSpaces: boolean;
  /** Whether points separate a cell into four groups or more, as they do an IP address. */
  readonly hasFourGroups: boolean;
  /** A cell that readings differ about, where there is one. */
  readonly example: string;
}

/** How a column is read: by a reading, or as it is where there is none; and what is told of it. */
interface ChosenForm {
  readonly reading: TextForm | null;
  readonly notice: IngestNotice | null;
}

const matches = ({ pattern }: TextForm, text: string): boolean => new RegExp(`^(?:${pattern})$`, 'u').test(text);

/** Whether all cells are values of a family as programs write them. */
function isClean({ flags }: Suspect, family: Family): boolean {
  const known = flags.get(family) ?? null;
  return known !== null && (known & misfit) === 0;
}

/** Whether the present types of a column leave a doubt: it is text, misfits its type, or its numbers have signs. */
function isSuspect(suspect: Suspect, sought: SoughtForms): boolean {
  const { column, must, may } = suspect.question;
  const { flags } = suspect;
  const isNamed = sought.isNumberNamed || sought.isTimeNamed;
  if (column.kinds !== cellKinds.any && !(isNamed && column.kinds === cellKinds.text)) return false;
  if (must !== null && families[must] !== 'number' && families[must] !== 'time') return false;
  if (flags.size > 0 && [...flags.values()].every((one) => one === null)) return false;
  if (isClean(suspect, 'number')) return sought.isNumberNamed || ((flags.get('number') ?? 0) & numberFlags.broken) > 0;
  return must !== null || !may.some((family) => isClean(suspect, family));
}

/** Columns asked about in one statement. */
const together = 24;
/** Cells that rule readings out before all cells are asked about. */
const sampleRows = 200;

function candidatesOf(
  { question: { must } }: Suspect,
  cells: readonly string[],
  sought: SoughtForms,
): readonly TextForm[] {
  const all = [...sought.number, ...sought.time];
  return all.filter(
    (reading) => (must === null || families[must] === reading.kind) && cells.every((cell) => matches(reading, cell)),
  );
}

const fitsAll = (reading: TextForm, text: string): string =>
  reading.kind === 'number'
    ? `bool_and(regexp_full_match(${text}, ${literal(reading.pattern)}))`
    : `bool_and(time_flags(${reading.plain(text)}) <> ${timeFlags.none})`;

async function evidenceOf(
  connection: DuckDBConnection,
  from: string,
  suspects: readonly (Suspect & { readonly candidates: readonly TextForm[] })[],
): Promise<readonly Evidence[]> {
  const found: Evidence[] = [];
  for (let at = 0; at < suspects.length; at += together) {
    const some = suspects.slice(at, at + together);
    const asked = some.flatMap(({ question: { column }, candidates }) => {
      const { text } = column;
      return [
        ...candidates.map((reading) => fitsAll(reading, text)),
        `bool_and(is_number(${text}))`,
        `bool_or(contains(${text}, '.'))`,
        `bool_or(contains(${text}, ','))`,
        `bool_or(regexp_matches(${text}, '^[+-]?[1-9][0-9]{3}'))`,
        `bool_or(regexp_matches(${text}, '[^0-9eE.,+-]'))`,
        `bool_or(regexp_matches(${text}, '^[+-]?[0-9]+([.][0-9]{3}){3}'))`,
        `coalesce(min(${text}) filter (regexp_matches(${text}, '[.,]')), min(${text}))`,
      ];
    });
    const reader = await connection.runAndReadAll(`select ${asked.join(', ')} from ${from}`);
    const said = [...(reader.getRows()[0] ?? [])];
    for (const suspect of some) {
      const fits = suspect.candidates.filter(() => said.shift() === true);
      const [isPlain, hasPoint, hasComma, hasUngrouped, hasSpaces, hasFourGroups, example] = said.splice(0, 7);
      found.push({
        suspect,
        fits,
        isPlain: isPlain === true,
        hasPoint: hasPoint === true,
        hasComma: hasComma === true,
        hasUngrouped: hasUngrouped === true,
        hasSpaces: hasSpaces === true,
        hasFourGroups: hasFourGroups === true,
        example: typeof example === 'string' ? example : '',
      });
    }
  }
  return found;
}

/** The readings that are left of those that fit: several where they differ and nothing tells which is meant. */
function leftOf({ fits, hasPoint, hasComma, hasUngrouped }: Evidence): readonly TextForm[] {
  const [first, second] = fits;
  if (first === undefined || second === undefined || first.kind === 'time') return fits;
  // Without a sign, both say the same.
  if (!hasPoint && !hasComma) return [first];
  // Who separates thousands does so in all numbers.
  return hasUngrouped && hasPoint !== hasComma ? [hasPoint ? first : second] : fits;
}

/** Whether a column has the sign that is the decimal one by a reading. */
const showsDecimal = ({ hasPoint, hasComma }: Evidence, { decimal }: TextForm): boolean =>
  (decimal === '.' && hasPoint) || (decimal === ',' && hasComma);

/** What the other columns of a file show. */
interface CertainForms {
  /** Readings of columns that have one alone. */
  readonly all: ReadonlySet<TextForm>;
  /** Those by which spaces or apostrophes separate thousands. */
  readonly spaced: ReadonlySet<TextForm>;
}

/**
 * Whether more than separators speaks for a reading: these may be those of an identifier, such as 552 100 554 or 10.100.200.100. A
 * decimal sign of another column proves what the other sign is, and nothing about spaces.
 */
function isProved(one: Evidence, reading: TextForm, isNamed: boolean, { all, spaced }: CertainForms): boolean {
  const { suspect, fits, hasPoint, hasComma, hasSpaces, hasFourGroups } = one;
  const hasSeparators = hasSpaces || hasPoint || hasComma;
  if (reading.kind === 'time' || !hasSeparators || showsDecimal(one, reading)) return true;
  const isTyped = suspect.question.must !== null;
  if (hasFourGroups) return isTyped && isNamed;
  if (isTyped || isNamed) return true;
  const certain = hasSpaces ? spaced : all;
  // Without a sign, all readings say the same.
  return hasPoint || hasComma ? certain.has(reading) : fits.some((fit) => certain.has(fit));
}

const optionOf = ({ kind }: TextForm): 'decimal' | 'date_pattern' => (kind === 'number' ? 'decimal' : 'date_pattern');

/** What a text is by a reading, as people write it. */
function shown({ kind, says }: TextForm, text: string, isPoint: boolean): string {
  if (kind === 'time') return says;
  const number = isPoint ? text.replaceAll(',', '') : text.replaceAll('.', '').replace(',', '.');
  return `${number} with ${says}`;
}

function ambiguous({ suspect, isPlain, example }: Evidence, [first, second]: readonly TextForm[]): ChosenForm {
  if (first === undefined || second === undefined) return { reading: null, notice: null };
  const readings = [shown(first, example, true), shown(second, example, false)] as const;
  const notice = { kind: 'readings', column: suspect.question.column.name, option: optionOf(first), example } as const;
  return { reading: null, notice: { ...notice, readings, isText: !isPlain } };
}

/**
 * Chooses how columns are read whose cells are not what programs write: with a decimal comma, with separators between thousands, as
 * dates that people write. A reading is chosen where it alone fits all cells, or where it fits and others of the file are read by it, unless separators
 * are all that speaks for it; where several are left, the column stays as it is and a notice names them. What `forms` says holds where it fits, and where a column has a type.
 */
async function chooseForms(
  connection: DuckDBConnection,
  from: string,
  columns: readonly Suspect[],
  forms: WrittenForms,
): Promise<ReadonlyMap<Question, ChosenForm>> {
  const sought = soughtForms(forms);
  const suspects = columns.filter((column) => isSuspect(column, sought));
  const chosen = new Map<Question, ChosenForm>();
  if (suspects.length === 0) return chosen;
  const texts = suspects.map(({ question }) => question.column.text);
  const sample = await connection.runAndReadAll(`select ${texts.join(', ')} from ${from} limit ${sampleRows}`);
  const cells = sample.getColumns().map((column) => column.filter((cell) => typeof cell === 'string'));
  const certain = new Set<TextForm>();
  const spaced = new Set<TextForm>();
  const open = suspects.flatMap((suspect, index) => {
    const candidates = candidatesOf(suspect, cells[index] ?? [], sought);
    const isPoint = candidates.every((reading) => reading === point);
    if (candidates.length === 0 || (isPoint && isClean(suspect, 'number'))) {
      if (candidates.length > 0) certain.add(point);
      return [];
    }
    return [{ ...suspect, candidates }];
  });
  const evidence = (await evidenceOf(connection, from, open)).map((one) => ({ ...one, left: leftOf(one) }));
  for (const one of evidence) {
    const [reading] = one.left;
    if (one.left.length !== 1 || reading === undefined) continue;
    if (reading.kind !== 'time' && !showsDecimal(one, reading)) continue;
    certain.add(reading);
    if (one.hasSpaces) spaced.add(reading);
  }
  for (const one of evidence) {
    const { left, suspect, isPlain, hasPoint, hasComma } = one;
    const agreed = left.length === 1 ? left : left.filter((reading) => certain.has(reading));
    const [reading = null] = agreed;
    if (reading !== null && !isProved(one, reading, sought.isNumberNamed, { all: certain, spaced })) continue;
    // A number as programs write it is one without a reading.
    const isAsIs = isPlain && (reading?.says === point.says || (!hasPoint && !hasComma));
    if (agreed.length === 1) chosen.set(suspect.question, { reading: isAsIs ? null : reading, notice: null });
    else if (left.length > 1) chosen.set(suspect.question, ambiguous(one, left));
  }
  for (const suspect of suspects) {
    const { question } = suspect;
    // What somebody named holds for a column whose type is known, so that a refusal names the cell that it does not fit.
    const { must } = question;
    if (chosen.has(question) || must === null) continue;
    const isNamed = families[must] === 'number' ? sought.isNumberNamed : sought.isTimeNamed;
    const [reading] = families[must] === 'number' ? sought.number : sought.time;
    if (isNamed && !isClean(suspect, families[must]) && reading !== undefined)
      chosen.set(question, { reading, notice: null });
  }
  return chosen;
}

/** Flags of columns by all their cells, each read by the form that is chosen for it; and what is told of the choice. */
export async function readByForms(
  connection: DuckDBConnection,
  from: string,
  questions: readonly Question[],
  forms: WrittenForms,
): Promise<{
  readonly asked: readonly Question[];
  readonly flags: readonly ReadonlyMap<Family, number | null>[];
  readonly notices: readonly IngestNotice[];
}> {
  const flags = await readFlags(connection, from, questions);
  const suspects = questions.map((question, index) => ({ question, flags: flags[index] ?? new Map() }));
  const chosen = await chooseForms(connection, from, suspects, forms);
  const asked = questions.map((question): Question => {
    const reading = chosen.get(question)?.reading ?? null;
    if (reading === null) return question;
    const { column } = question;
    return { ...question, column: { ...column, text: reading.plain(column.text) }, may: [reading.kind] };
  });
  const changed = asked.filter((question, index) => question !== questions[index]);
  const again = await readFlags(connection, from, changed);
  return {
    asked,
    flags: asked.map((question, index) => again[changed.indexOf(question)] ?? flags[index] ?? new Map()),
    notices: [...chosen.values()].flatMap(({ notice }) => (notice === null ? [] : [notice])),
  };
}
