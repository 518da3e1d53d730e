import { inWords, isList, isObject, member, type Item, type Json, type SlotContent } from '@inlay/contract';
import { drilled, inLanguage, onlyOf, queryFor, readSteps, type FilterSet } from '@inlay/embed/reading';
import type { Caller } from '../access/caller.ts';
import type { Serve, ServedAnswer, ServedRequest } from '../resource/served.ts';
import type { Reader } from '../store/store.ts';
import { namesOf } from './column-names.ts';
import type { Filled } from './drawing.ts';

/** Which rows an export asks for, and how they are written. */
export interface Asked {
  readonly filters: readonly FilterSet[];
  /** Levels that a viewer opened, as the request has them. */
  readonly steps: readonly Json[];
  readonly locale: string;
  readonly zone: string;
}

const isUnnamed = ({ label }: SlotContent): boolean => inLanguage(label, 'en') === '';

/** The items with the names of their columns and formulas, as far as the caller may see them, where the dashboard has no label for them. */
async function labelled(reader: Reader, caller: Caller, items: readonly Item[]): Promise<readonly Item[]> {
  const contents = items.flatMap(({ slots }) => slots.flatMap(({ content }) => content)).filter(isUnnamed);
  const names = await namesOf(
    reader,
    caller,
    contents.flatMap(({ columnId, formulaId }) => columnId ?? formulaId ?? []),
  );
  const named = (content: SlotContent): SlotContent =>
    isUnnamed(content)
      ? { ...content, label: names.get(content.columnId ?? content.formulaId ?? '') ?? content.label }
      : content;
  return items.map((item) => ({
    ...item,
    slots: item.slots.map(({ name, content }) => ({ name, content: content.map(named) })),
  }));
}

/** An item at the level that was opened in it, which its title says; and what that narrows it by. */
function opened(item: Item, { steps, locale }: Asked): { readonly item: Item; readonly own: readonly FilterSet[] } {
  const taken = readSteps(steps, item.id);
  const path = [inLanguage(item.title, locale), ...taken.map(({ text }) => text)].filter((text) => text !== '');
  return {
    item: { ...drilled(item, taken), title: taken.length === 0 ? item.title : path.join(' › ') },
    own: taken.length === 0 ? [] : [{ origin: onlyOf(item.id), conditions: taken.map(({ filter }) => filter) }],
  };
}

async function* linesOf(body: ServedAnswer['body']): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of typeof body === 'string' || body instanceof Uint8Array ? [body] : body) {
    rest += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

type Answered = Pick<Filled, 'rows' | 'truncated' | 'failure'>;

function answered(answer: Json): Answered {
  const nothing = { rows: [], truncated: false };
  if (!isObject(answer)) return { ...nothing, failure: 'There was no answer.' };
  const error = member(answer, 'error');
  if (error !== undefined && isObject(error)) return { ...nothing, failure: inWords(member(error, 'message')) };
  const rows = member(answer, 'data');
  return {
    rows: rows !== undefined && isList(rows) ? rows.filter(isList) : [],
    truncated: member(answer, 'truncated') === true,
    failure: null,
  };
}

/** The items with their rows; all are asked for at once, and each is read as its rows come. */
export async function fill(
  { data, reader }: { readonly data: Serve; readonly reader: Reader },
  request: ServedRequest,
  items: readonly Item[],
  asked: Asked,
): Promise<readonly Filled[]> {
  const wanted = (await labelled(reader, request.caller, items)).map((one) => {
    const { item, own } = opened(one, asked);
    return {
      item,
      asked: queryFor({ item, own }, asked.filters, { localeId: asked.locale, timezoneId: asked.zone }),
    };
  });
  const queries = wanted.flatMap((one) => (one.asked === null ? [] : [one.asked.query]));
  const answers = new Map<number, Answered>();
  if (queries.length > 0) {
    const { body } = await data({
      ...request,
      ...{ operation: 'get', asked: { queries }, idempotency: null, lines: true },
    });
    for await (const line of linesOf(body)) {
      const read: Json = JSON.parse(line);
      const index = isObject(read) ? member(read, 'index') : undefined;
      if (typeof index === 'number') answers.set(index, answered(read));
    }
  }
  const places = [...wanted.keys()].filter((place) => wanted[place]?.asked !== null);
  return wanted.map(({ item, asked: query }, place): Filled => {
    if (query === null) return { item, asked: null, rows: [], truncated: false, failure: null };
    return { item, asked: query, ...(answers.get(places.indexOf(place)) ?? answered(null)) };
  });
}
