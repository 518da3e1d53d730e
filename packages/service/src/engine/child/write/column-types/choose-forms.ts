import type { DuckDBConnection } from '@duckdb/node-api';
import { cellKinds } from '../../../../cells/cells.ts';
import type { IngestNotice, WrittenForms } from '../../../engine.ts';
import { literal } from '../../quote.ts';
import { numberFlags, timeFlags } from './fits.ts';
import { families, misfit, readFlags, type Family, type Question } from './flags.ts';
import { comma, dateForms, numberForm, point, thousandsBeside, timeForm, type TextForm } from '../../text-forms.ts';

/** Number and time formats to consider: all formats, or those that the options name. */
interface SoughtForms {
  readonly number: readonly TextForm[];
  readonly time: readonly TextForm[];
  readonly isNumberNamed: boolean;
  readonly isTimeNamed: boolean;
}

function soughtForms({ decimal, thousands, datePattern }: WrittenForms): SoughtForms {
  const signs = (['.', ','] as const).filter((sign) => sign === (decimal ?? sign) && sign !== thousands);
  const numberForms = signs.map((sign) =>
    numberForm(sign, thousands === undefined ? thousandsBeside[sign] : [thousands]),
  );
  const isNumberNamed = decimal !== undefined || thousands !== undefined;
  return {
    number: isNumberNamed ? numberForms : [point, comma],
    time: datePattern === undefined ? dateForms : [timeForm(datePattern)],
    isNumberNamed,
    isTimeNamed: datePattern !== undefined,
  };
}

/** A column whose cells may be in a format other than the standard notation. */
interface Suspect {
  readonly question: Question;
  readonly flags: ReadonlyMap<Family, number | null>;
}

/** Facts about all cells of a suspect column. */
interface Evidence {
  readonly suspect: Suspect;
  /** Formats that match every cell. */
  readonly fits: readonly TextForm[];
  /** True if every cell is a number in standard notation. */
  readonly isPlain: boolean;
  readonly hasPoint: boolean;
  readonly hasComma: boolean;
  /**
   * True if some number has four or more digits in a row before the decimal separator, without thousands separators.
   */
  readonly hasUngrouped: boolean;
  /** True if spaces or apostrophes separate digits. */
  readonly hasSpaces: boolean;
  /** True if points separate a cell into four or more groups, as in an IP address. */
  readonly hasFourGroups: boolean;
  /** A cell whose value depends on the format; empty if all formats give the same values. */
  readonly example: string;
}

/** The format chosen for a column, or null to keep the cells as they are; and a notice if the choice is ambiguous. */
interface ChosenForm {
  readonly reading: TextForm | null;
  readonly notice: IngestNotice | null;
}

const matches = ({ pattern }: TextForm, text: string): boolean => new RegExp(`^(?:${pattern})$`, 'u').test(text);

/** True if all cells are values of a family in standard notation. */
function isClean({ flags }: Suspect, family: Family): boolean {
  const familyFlags = flags.get(family) ?? null;
  return familyFlags !== null && (familyFlags & misfit) === 0;
}

/**
 * True if the formats of a column must be examined: its cells may be numbers or times that are not in standard
 * notation, or its numbers have separators.
 */
function isSuspect(suspect: Suspect, wantedForms: SoughtForms): boolean {
  const { column, must, may } = suspect.question;
  const { flags } = suspect;
  const isNamed = wantedForms.isNumberNamed || wantedForms.isTimeNamed;
  if (column.kinds !== cellKinds.any && !(isNamed && column.kinds === cellKinds.text)) return false;
  if (must !== null && families[must] !== 'number' && families[must] !== 'time') return false;
  if (flags.size > 0 && [...flags.values()].every((flag) => flag === null)) return false;
  if (isClean(suspect, 'number'))
    return wantedForms.isNumberNamed || ((flags.get('number') ?? 0) & numberFlags.broken) > 0;
  return must !== null || !may.some((family) => isClean(suspect, family));
}

/** Columns examined per statement. */
const columnsPerStatement = 24;
/** Number of cells used to exclude formats before all cells are examined. */
const sampleRows = 200;

function candidatesOf(
  { question: { must } }: Suspect,
  cells: readonly string[],
  wantedForms: SoughtForms,
): readonly TextForm[] {
  const forms = [...wantedForms.number, ...wantedForms.time];
  return forms.filter(
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
  const evidence: Evidence[] = [];
  for (let at = 0; at < suspects.length; at += columnsPerStatement) {
    const examinedSuspects = suspects.slice(at, at + columnsPerStatement);
    const tests = examinedSuspects.flatMap(({ question: { column }, candidates }) => {
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
    const reader = await connection.runAndReadAll(`select ${tests.join(', ')} from ${from}`);
    const results = [...(reader.getRows()[0] ?? [])];
    for (const suspect of examinedSuspects) {
      const fits = suspect.candidates.filter(() => results.shift() === true);
      const [isPlain, hasPoint, hasComma, hasUngrouped, hasSpaces, hasFourGroups, example] = results.splice(0, 7);
      evidence.push({
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
  return evidence;
}

/**
 * Reduces the formats that match all cells. More than one format remains if the formats give different values and
 * nothing decides between them.
 */
function leftOf({ fits, hasPoint, hasComma, hasUngrouped }: Evidence): readonly TextForm[] {
  const [first, second] = fits;
  if (first === undefined || second === undefined || first.kind === 'time') return fits;
  // Without separators, both formats give the same values.
  if (!hasPoint && !hasComma) return [first];
  // A column that groups thousands does so in all numbers.
  return hasUngrouped && hasPoint !== hasComma ? [hasPoint ? first : second] : fits;
}

/** True if a column contains the decimal separator of a format. */
const showsDecimal = ({ hasPoint, hasComma }: Evidence, { decimal }: TextForm): boolean =>
  (decimal === '.' && hasPoint) || (decimal === ',' && hasComma);

/** Formats that columns of the file use beyond doubt. */
interface CertainForms {
  /** Formats of columns for which only one format remains. */
  readonly all: ReadonlySet<TextForm>;
  /** Formats that remain for columns whose numbers have spaces or apostrophes between digits. */
  readonly spaced: ReadonlySet<TextForm>;
}

/**
 * True if a format has more evidence than separators, which also occur in identifiers such as 552 100 554 or
 * 10.100.200.100. If another column proves the decimal separator, that also proves the thousands separator, unless it
 * is a space.
 */
function isProved(evidence: Evidence, reading: TextForm, isNamed: boolean, { all, spaced }: CertainForms): boolean {
  const { suspect, fits, hasPoint, hasComma, hasSpaces, hasFourGroups } = evidence;
  const hasSeparators = hasSpaces || hasPoint || hasComma;
  if (reading.kind === 'time' || !hasSeparators || showsDecimal(evidence, reading)) return true;
  const isTyped = suspect.question.must !== null;
  if (hasFourGroups) return isTyped && isNamed;
  if (isTyped || isNamed) return true;
  const certainForms = hasSpaces ? spaced : all;
  // Without separators, all formats give the same values.
  return hasPoint || hasComma ? certainForms.has(reading) : fits.some((fit) => certainForms.has(fit));
}

const optionOf = ({ kind }: TextForm): 'decimal' | 'date_pattern' => (kind === 'number' ? 'decimal' : 'date_pattern');

/** Describes the value of a text in this format, such as `1234.5 with a decimal comma`. */
function shown({ kind, says: name }: TextForm, text: string, isPoint: boolean): string {
  if (kind === 'time') return name;
  const number = isPoint ? text.replaceAll(',', '') : text.replaceAll('.', '').replace(',', '.');
  return `${number} with ${name}`;
}

function ambiguous({ suspect, isPlain, example }: Evidence, [first, second]: readonly TextForm[]): ChosenForm {
  if (first === undefined || second === undefined) return { reading: null, notice: null };
  const readings = [shown(first, example, true), shown(second, example, false)] as const;
  const notice = { kind: 'readings', column: suspect.question.column.name, option: optionOf(first), example } as const;
  return { reading: null, notice: { ...notice, readings, isText: !isPlain } };
}

/**
 * Chooses the formats of columns whose cells are not in standard notation: decimal commas, thousands separators, local
 * dates. A format is chosen if it is the only one that matches all cells, or the only one that other columns of the
 * file use. It is not chosen if separators are its only evidence. If several formats remain, the column stays as it is,
 * and a notice lists them. A format in `forms` is chosen where it matches. In a column with a declared type, it is
 * chosen in any case.
 */
async function chooseForms(
  connection: DuckDBConnection,
  from: string,
  columns: readonly Suspect[],
  forms: WrittenForms,
): Promise<ReadonlyMap<Question, ChosenForm>> {
  const wantedForms = soughtForms(forms);
  const suspects = columns.filter((column) => isSuspect(column, wantedForms));
  const chosenForms = new Map<Question, ChosenForm>();
  if (suspects.length === 0) return chosenForms;
  const texts = suspects.map(({ question }) => question.column.text);
  const sample = await connection.runAndReadAll(`select ${texts.join(', ')} from ${from} limit ${sampleRows}`);
  const cells = sample.getColumns().map((column) => column.filter((cell) => typeof cell === 'string'));
  const certainForms = new Set<TextForm>();
  const spacedForms = new Set<TextForm>();
  const openSuspects = suspects.flatMap((suspect, index) => {
    const candidates = candidatesOf(suspect, cells[index] ?? [], wantedForms);
    const isPoint = candidates.every((reading) => reading === point);
    if (candidates.length === 0 || (isPoint && isClean(suspect, 'number'))) {
      if (candidates.length > 0) certainForms.add(point);
      return [];
    }
    return [{ ...suspect, candidates }];
  });
  const evidence = (await evidenceOf(connection, from, openSuspects)).map((entry) => ({
    ...entry,
    left: leftOf(entry),
  }));
  for (const entry of evidence) {
    const [reading] = entry.left;
    if (entry.left.length !== 1 || reading === undefined) continue;
    if (reading.kind !== 'time' && !showsDecimal(entry, reading)) continue;
    certainForms.add(reading);
    if (entry.hasSpaces) spacedForms.add(reading);
  }
  for (const entry of evidence) {
    const { left, suspect, isPlain, hasPoint, hasComma } = entry;
    const agreedForms = left.length === 1 ? left : left.filter((reading) => certainForms.has(reading));
    const [reading = null] = agreedForms;
    if (
      reading !== null &&
      !isProved(entry, reading, wantedForms.isNumberNamed, { all: certainForms, spaced: spacedForms })
    )
      continue;
    // Numbers in standard notation need no conversion.
    const isAsIs = isPlain && (reading?.says === point.says || (!hasPoint && !hasComma));
    if (agreedForms.length === 1) chosenForms.set(suspect.question, { reading: isAsIs ? null : reading, notice: null });
    else if (left.length > 1) chosenForms.set(suspect.question, ambiguous(entry, left));
  }
  for (const suspect of suspects) {
    const { question } = suspect;
    // If the type is declared, the format of the options applies even if a cell does not match. The error then names
    // that cell.
    const { must } = question;
    if (chosenForms.has(question) || must === null) continue;
    const isNamed = families[must] === 'number' ? wantedForms.isNumberNamed : wantedForms.isTimeNamed;
    const [reading] = families[must] === 'number' ? wantedForms.number : wantedForms.time;
    if (isNamed && !isClean(suspect, families[must]) && reading !== undefined)
      chosenForms.set(question, { reading, notice: null });
  }
  return chosenForms;
}

/**
 * Returns the columns with their cells converted from the chosen formats, flags over all cells of each column, and
 * notices about ambiguous formats.
 */
export async function readByForms(
  connection: DuckDBConnection,
  from: string,
  questions: readonly Question[],
  forms: WrittenForms,
): Promise<{
  readonly questions: readonly Question[];
  readonly flags: readonly ReadonlyMap<Family, number | null>[];
  readonly notices: readonly IngestNotice[];
}> {
  const flags = await readFlags(connection, from, questions);
  const suspects = questions.map((question, index) => ({ question, flags: flags[index] ?? new Map() }));
  const chosenForms = await chooseForms(connection, from, suspects, forms);
  const readQuestions = questions.map((question): Question => {
    const reading = chosenForms.get(question)?.reading ?? null;
    if (reading === null) return question;
    const { column } = question;
    return { ...question, column: { ...column, text: reading.plain(column.text) }, may: [reading.kind] };
  });
  const changedQuestions = readQuestions.filter((question, index) => question !== questions[index]);
  const changedFlags = await readFlags(connection, from, changedQuestions);
  return {
    questions: readQuestions,
    flags: readQuestions.map(
      (question, index) => changedFlags[changedQuestions.indexOf(question)] ?? flags[index] ?? new Map(),
    ),
    notices: [...chosenForms.values()].flatMap(({ notice }) => (notice === null ? [] : [notice])),
  };
}
