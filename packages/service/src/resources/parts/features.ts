import { isList } from '@inlay/contract';
import { field } from '../../declare/fields.ts';
import { withoutEffect } from './without-effect.ts';

/** Declares a list of features as clients send them: features to add, and with a leading `!`, features to remove. */
export const featureOverrides = (options: Parameters<typeof field.list>[1] = {}): ReturnType<typeof field.list> =>
  field.list('Names of features to add; a leading `!` takes one away. Stored, without effect yet.', {
    ...options,
    default: [],
    shape: { items: { type: 'string', maxLength: 100 }, maxItems: 200 },
    check: (value, at, fault) => {
      if (!isList(value)) return;
      if (value.length > 200) fault(at, 'must have at most 200 names');
      value.slice(0, 200).forEach((entry, index) => {
        if (typeof entry !== 'string' || !/^!?[\w.-]{1,99}$/u.test(entry))
          fault(`${at}[${index}]`, 'must be the name of a feature, such as "editor" or "!editor"');
      });
    },
    warns: withoutEffect,
  });
