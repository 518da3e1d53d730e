import { maxChoices, parametersIn } from '../../item/parameter-control.ts';
import { isSameParameter } from '../../item/parameter-name.ts';
import { groupsOf } from '../../item/view-groups.ts';
import { filledText, isObject, listOr, objectOr, textOr, type Json, type JsonObject } from '../../json.ts';
import type { ContentsWarning } from './warning.ts';

type Unknown = (word: string, known: readonly string[]) => string;

const day = /^\d{4}-\d\d-\d\d/u;
const isPlain = (value: Json): boolean => ['string', 'number', 'boolean'].includes(typeof value);

/** Returns a function that says if a value fits a parameter type, and a description of such values for messages. */
function typeRule(type: string): readonly [fits: (value: Json) => boolean, what: string] {
  if (type.includes('numeric')) return [(value) => typeof value === 'number', 'a number'];
  if (type.includes('datetime'))
    return [(value) => typeof value === 'string' && day.test(value), 'a day such as "2025-03-01"'];
  return [isPlain, 'a text, a number, true or false'];
}

const nothingOffered = 'offers nothing: list choices, or remove it to let viewers set any value';

function choiceFaults(choices: Json | undefined, type: string, path: string): readonly ContentsWarning[] {
  const [fits, what] = typeRule(type);
  const of = type === '' ? '' : `, as the parameter is of type ${type}`;
  const entries = listOr(choices);
  if (Array.isArray(choices) && entries.length === 0) return [{ path, code: 'no_effect', message: nothingOffered }];
  if (entries.length > maxChoices)
    return [{ path, code: 'no_effect', message: `has ${entries.length} choices; the first ${maxChoices} are offered` }];
  return [...entries.entries()].flatMap(([index, choice]): readonly ContentsWarning[] => {
    const isLabelled = isObject(choice);
    const value = isLabelled ? (choice['value'] ?? null) : choice;
    const at = `${path}[${index}]${isLabelled ? '.value' : ''}`;
    if (value === null) return [{ path: at, code: 'missing', message: 'is required: the value that is chosen' }];
    return fits(value) ? [] : [{ path: at, code: 'wrong_type', message: `must be ${what}${of}` }];
  });
}

/**
 * Warns about parameter controls of a view: undeclared parameters, parameters that no filter uses, and choices of the
 * wrong type.
 */
export function parameterWarnings(
  contents: JsonObject,
  view: JsonObject,
  path: string,
  describeUnknown: Unknown,
): readonly ContentsWarning[] {
  const declared = listOr(contents['parameters']).map(objectOr);
  const nameOf = ({ parameter, name }: JsonObject): string => textOr(parameter, textOr(name, ''));
  const filterParameters = parametersIn(groupsOf(view));
  return listOr(view['items']).flatMap((item, index): readonly ContentsWarning[] => {
    const { type, options } = objectOr(item);
    if (type !== 'parameter-control') return [];
    const { parameter, choices } = objectOr(options);
    const at = `${path}.items[${index}].options`;
    const name = filledText(parameter);
    if (name === null)
      return [{ path: `${at}.parameter`, code: 'missing', message: 'is required: the parameter that viewers set' }];
    const declaration = declared.find((entry) => isSameParameter(nameOf(entry), name));
    const filter = filterParameters.find((entry) => isSameParameter(entry.parameter, name));
    const undeclaredMessage = `${describeUnknown(name, declared.map(nameOf))}; declare it in \`parameters\` of the contents`;
    const parameterPath = `${at}.parameter`;
    return [
      ...(declaration === undefined
        ? [{ path: parameterPath, code: 'unknown_value', message: undeclaredMessage } as const]
        : []),
      ...(filter === undefined
        ? [
            {
              path: parameterPath,
              code: 'no_effect',
              message: 'no filter of the view names it, so nothing changes',
            } as const,
          ]
        : []),
      ...choiceFaults(choices, textOr(declaration?.['type'], filter?.type ?? ''), `${at}.choices`),
    ];
  });
}
