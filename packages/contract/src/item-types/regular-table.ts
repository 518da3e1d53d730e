import { itemType } from './declare/item-type.ts';
import { tableOptions } from './declare/shared.ts';
import { oneOrMore } from './declare/slot.ts';

export const regularTable = itemType({
  type: 'regular-table',
  kind: 'chart',
  family: 'table',
  slots: [oneOrMore('columns', 'field')],
  options: [...tableOptions, 'others', 'sparkline'],
  size: [48, 20],
  plainRows: 'any',
  questionWords: [
    {
      words:
        ' (?:as|in|into) (?:a |an )?(?:plain |simple |regular |flat )?(?:table|list|grid)(?= [.?!,;]| $| (?:with|of|by|for|please|sorted|ordered|showing) )',
      rank: 90,
      isPhrase: true,
    },
    { words: ' (?:plain|simple|regular|flat|detailed|detail|data) table ', rank: 91, isPhrase: true },
    {
      words: ' (?:make|create|show|give|draw|build|want|need|display)(?: me| us)? (?:a|the) table ',
      rank: 92,
      isPhrase: true,
    },
    { words: '^ (?:a )?table (?:of|with|showing|listing) ', rank: 93, isPhrase: true },
  ],
});
