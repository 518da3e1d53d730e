import { isListed, type QueryRules } from '../query/check-query.ts';

/** Functions that a SELECT must not call: those of the function catalogs that send texts to other services. */
const refusedFunctions = { models: ['ai_*'] } as const;

export const queryRules: QueryRules = {
  lexis: {
    quotes: {
      "'": { backslash: false, names: false },
      '"': { backslash: false, names: true },
      '`': { backslash: false, names: true },
    },
    lineComment: /--[^\r\n]*/uy,
    nestedComments: 'refused',
    dollarQuotes: false,
    parameter: /[?$]/uy,
    asciiOnly: true,
  },
  // A table function, as in TABLE(catalog.system.query(…)), may send any statement to another database.
  refusedWord: /^(?:table|function|into|call|execute|prepare)$/iu,
  isRefusedFunction: isListed(refusedFunctions),
  callsByDot: true,
  refusedSchemas: new Set(['system', 'information_schema', 'jmx']),
};
