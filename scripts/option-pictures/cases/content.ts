import type { CaseGroup } from '../case.ts';
import { column, euros } from './entries.ts';

const hills = `data:image/svg+xml;base64,${btoa(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 160 160"><rect width="160" height="160" fill="#cfe4f3"/><circle cx="120" cy="40" r="18" fill="#f2c14e"/><path d="M0 160V110l50-50 40 60 30-30 40 50v20z" fill="#4f7f52"/></svg>',
)}`;
const measure = euros('revenue');

/** Titles, texts and images. */
export const contentCases: CaseGroup = {
  title: 'Titles, texts and images',
  cases: [
    {
      shows: ['title'],
      type: 'column-chart',
      slots: { 'x-axis': column('country'), measure },
      shots: [{}, { title: 'Revenue by country' }],
      seen: ['columns without a title', 'a title above the columns'],
    },
    {
      shows: ['text'],
      type: 'text',
      slots: { measure },
      shots: [{ text: 'Our spring' }, { text: '# Spring\nRevenue: **{{Revenue}}**\n- Bags lead\n- Shoes follow' }],
      seen: ['plain words', 'a heading, the revenue in bold and a list'],
    },
    {
      shows: ['align'],
      type: 'text',
      slots: {},
      options: { text: '# Spring\nBags lead, shoes follow.' },
      shots: [{ align: 'start' }, { align: 'center' }],
      seen: ['words at the left', 'words in the middle'],
    },
    {
      shows: ['fit', 'src'],
      type: 'image',
      slots: {},
      options: { src: hills },
      shots: [{}, { fit: 'cover' }],
      seen: ['the whole image in the middle', 'an image that fills the item and is cut above and below'],
    },
  ],
};
