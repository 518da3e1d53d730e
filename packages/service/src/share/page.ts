import type { SharedDashboard } from '../commands/share.ts';
import { escaped, inScript } from '../sso/pages/page.ts';

const pageHtml = (title: string, head: string, body: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="robots" content="noindex, nofollow" />
    <title>${escaped(title)}</title>
    <link rel="icon" href="data:," />
    <style>
      :root { color-scheme: light; font: 15px/1.5 system-ui, "Noto Sans", sans-serif; color: #1d2430; background: #fff; }
      body { margin: 0; }
      inlay-dashboard { padding: 12px; }
      .status { padding: 40px 20px; max-width: 640px; margin: 0 auto; }
    </style>${head}
  </head>
  <body>
    ${body}
  </body>
</html>
`;

/** Returns the page of a share. Its script draws the dashboard with the token that is embedded in the page. */
export function sharePage({ dashboardId, name, key, token }: SharedDashboard): string {
  const [title] = [name['en'], ...Object.values(name)].filter((text) => typeof text === 'string');
  const data = inScript({ dashboard_id: dashboardId, key, token });
  return pageHtml(
    title ?? 'Dashboard',
    `
    <script type="application/json" id="share">${data}</script>
    <script type="module" src="/embed/share.js"></script>`,
    '<noscript><p class="status">This page draws charts in the browser, so it needs JavaScript.</p></noscript>',
  );
}

/** The page for a share that is unknown, inactive or expired. It is identical in all three cases. */
export const missingPage = pageHtml(
  'Nothing is shared here',
  '',
  '<main class="status"><h1>Nothing is shared here</h1><p>The link is wrong, or what it showed is not shared any more. Ask whoever sent it.</p></main>',
);
