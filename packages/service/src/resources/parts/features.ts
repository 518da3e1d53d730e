import { featureNames, featureOf, isList, readOverride, unknownWord, type Json } from '@inlay/contract';
import { field } from '../../declare/fields.ts';
import type { Warning } from '../../declare/warning.ts';

function warningOf(word: Json, path: string): readonly Warning[] {
  if (typeof word !== 'string') return [];
  const { feature } = readOverride(word);
  const declared = featureOf(feature);
  if (declared === undefined) return [{ path, code: 'unknown_value', message: unknownWord(feature, featureNames) }];
  return declared.withoutEffect === true
    ? [{ path, code: 'no_effect', message: 'is a feature that has no effect yet' }]
    : [];
}

/** Declares a list of features to add, and with a leading `!`, to take away. specification/rights#features */
export const featureOverrides = (options: Parameters<typeof field.list>[1] = {}): ReturnType<typeof field.list> =>
  field.list(
    `Features of embed tokens to add; a leading \`!\` takes one away. Known are ${featureNames.map((name) => `\`${name}\``).join(', ')}; \`warnings\` names others.`,
    {
      ...options,
      default: [],
      column: true,
      shape: { items: { type: 'string', maxLength: 100, examples: featureNames.slice(0, 2) }, maxItems: 200 },
      check: (value, at, fault) => {
        if (!isList(value)) return;
        if (value.length > 200) fault(at, 'must have at most 200 names');
        value.slice(0, 200).forEach((entry, index) => {
          if (typeof entry !== 'string' || !/^!?[\w.-]{1,99}$/u.test(entry))
            fault(`${at}[${index}]`, 'must be the name of a feature, such as "drill" or "!drill"');
        });
      },
      warns: (value, at) => (isList(value) ? value : []).flatMap((word, index) => warningOf(word, `${at}[${index}]`)),
    },
  );
