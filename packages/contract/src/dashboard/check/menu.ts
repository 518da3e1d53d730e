import { exportFormats } from '../../item-types/declare/export-formats.ts';
import { filledText, isObject, listOr, objectOr, type Json, type JsonObject } from '../../json.ts';
import { isAddressTemplate, placeholdersOf } from '../../link.ts';
import type { ContentsWarning } from './warning.ts';

type Unknown = (word: string, known: readonly string[]) => string;

const entriesOf = (item: JsonObject): readonly JsonObject[] =>
  listOr(item['slots']).flatMap((slot) => listOr(objectOr(slot)['content']).map(objectOr));

/**
 * Returns the names by which a link template can refer to an entry. Null if the entry has no label: the label then
 * comes from the column, which is not known here.
 */
function namesOf(entry: JsonObject): readonly string[] | null {
  const { label } = entry;
  const texts = isObject(label) ? Object.values(label) : [label];
  const labels = texts.flatMap((text) => filledText(text) ?? []);
  const ids = [entry['columnId'], entry['column']].flatMap((id) => filledText(id) ?? []);
  return labels.length === 0 ? null : [...labels, ...ids];
}

/** Warns about mistakes in the link of an item or entry. */
function linkFaults(
  link: Json | undefined,
  item: JsonObject,
  path: string,
  describeUnknown: Unknown,
): readonly ContentsWarning[] {
  if (!isObject(link)) return [];
  const href = filledText(link['href']);
  if (href === null) {
    const isNamed = filledText(link['dashboardId']) !== null || filledText(link['dashboardSlug']) !== null;
    return isNamed
      ? []
      : [{ path, code: 'missing', message: 'leads nowhere; give it href, dashboardId or dashboardSlug' }];
  }
  if (!isAddressTemplate(href))
    return [
      {
        path: `${path}.href`,
        code: 'unknown_value',
        message:
          'leads nowhere: it must begin with https:, http:, mailto: or be within the page, and have values in its path, query or fragment alone',
      },
    ];
  const names = entriesOf(item).map(namesOf);
  if (names.includes(null)) return [];
  const knownNames = names.flatMap((name) => name ?? []);
  return placeholdersOf(href)
    .filter((name) => !knownNames.includes(name))
    .map((name) => ({ path: `${path}.href`, code: 'unknown_value', message: describeUnknown(name, knownNames) }));
}

function formatFaults(options: JsonObject, path: string, describeUnknown: Unknown): readonly ContentsWarning[] {
  return [...listOr(options['exports']).entries()].flatMap(([index, format]) =>
    typeof format !== 'string' || exportFormats.some((knownFormat) => knownFormat === format)
      ? []
      : [
          {
            path: `${path}.exports[${index}]`,
            code: 'unknown_value',
            message: describeUnknown(format, exportFormats),
          } as const,
        ],
  );
}

/** Warns about mistakes in the menus and links of a view. */
export function menuWarnings(view: JsonObject, path: string, describeUnknown: Unknown): readonly ContentsWarning[] {
  const items = listOr(view['items']).map(objectOr);
  const ofItems = items.flatMap((item, index) => {
    const at = `${path}.items[${index}]`;
    const options = objectOr(item['options']);
    const entries = listOr(item['slots']).flatMap((slot, place) =>
      listOr(objectOr(slot)['content']).flatMap((entry, nth) =>
        linkFaults(objectOr(entry)['link'], item, `${at}.slots[${place}].content[${nth}].link`, describeUnknown),
      ),
    );
    return [
      ...linkFaults(options['link'], item, `${at}.options.link`, describeUnknown),
      ...formatFaults(options, `${at}.options`, describeUnknown),
      ...entries,
    ];
  });
  return [...formatFaults(objectOr(view['options']), `${path}.options`, describeUnknown), ...ofItems];
}
