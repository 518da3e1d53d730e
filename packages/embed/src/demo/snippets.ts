import { apiVersion, type JsonObject } from '@inlay/contract';

/** What the viewer chose in the demo, as far as it affects the snippets. */
export interface Choice {
  readonly dashboard: string;
  readonly tenant: string;
  readonly theme: string;
  readonly locale: string;
}

/** Returns HTML for the page of a product. */
export const pageSnippet = ({ dashboard, theme, locale }: Choice, origin: string): string =>
  [
    `<script type="module" src="${origin}/embed/inlay.js"></script>`,
    '<inlay-dashboard',
    `  api-host="${origin}"`,
    `  dashboard-id="${dashboard}"`,
    '  auth-key="KEY OF AN EMBED TOKEN"',
    '  auth-token="ITS TOKEN"',
    ...(locale === 'en' ? [] : [`  locale="${locale}"`]),
    ...(theme === '' ? [] : [`  theme="${theme}"`]),
    '></inlay-dashboard>',
  ].join('\n');

const tokenRequest = ({ tenant, dashboard }: Choice, dataset: string | undefined): JsonObject => ({
  action: 'create',
  key: 'KEY OF AN ORGANIZATION OWNER',
  token: 'ITS API TOKEN',
  properties: {
    type: 'embed',
    username: tenant,
    role: 'viewer',
    access: {
      dashboards: [{ id: dashboard, rights: 'read' }],
      datasets: dataset === undefined ? [] : [{ id: dataset, rights: 'use' }],
    },
    filters: [
      {
        expression: '? in ?',
        parameters: [{ dataset_id: 'ID OF A DATASET', column_id: 'ID OF A COLUMN' }, [tenant]],
      },
    ],
  },
});

/**
 * Returns the request by which the server of a product creates a token. `dataset` is the id of a dataset that the token
 * may use.
 */
export const serverSnippet = (choice: Choice, origin: string, dataset: string | undefined): string =>
  `curl ${origin}/${apiVersion}/authorization -H 'content-type: application/json' -d '${JSON.stringify(tokenRequest(choice, dataset), null, 2)}'`;
