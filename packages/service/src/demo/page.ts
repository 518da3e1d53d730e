/** The page of the demo; `/embed/demo.js` renders everything else. */
export const demoPage = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Inlay</title>
    <link rel="icon" href="data:," />
    <style>
      :root { color-scheme: light; font: 15px/1.5 system-ui, "Noto Sans", sans-serif; color: #1d2430; background: #fff; }
      body { margin: 0; }
      body > header { display: flex; flex-wrap: wrap; gap: 8px 20px; align-items: center; padding: 12px 20px; border-bottom: 1px solid #dde2ea; }
      h1 { font-size: 20px; margin: 0; }
      h2 { font-size: 17px; margin: 24px 0 8px; }
      a { color: #00629b; }
      nav { display: flex; flex-wrap: wrap; gap: 4px; }
      button, select, input { font: inherit; color: inherit; padding: 5px 10px; border: 1px solid #8a94a6; border-radius: 6px; background: #fff; }
      button { cursor: pointer; }
      button[aria-pressed="true"] { background: #00629b; border-color: #00629b; color: #fff; }
      :focus-visible { outline: 3px solid #7cb8e0; outline-offset: 1px; }
      label { display: inline-flex; gap: 6px; align-items: center; }
      .options { display: flex; align-items: center; flex-wrap: wrap; gap: 8px 16px; padding: 10px 20px; background: #f4f6f9; border-bottom: 1px solid #dde2ea; }
      .stage { margin: 0 auto; max-width: 100%; min-height: 60vh; }
      inlay-dashboard { padding: 16px; }
      .below { padding: 0 20px 40px; max-width: 1100px; margin: 0 auto; }
      .ask { display: flex; flex-wrap: wrap; gap: 8px; }
      .ask input { flex: 1; min-width: 16em; }
      .answer { margin-top: 12px; }
      .conversation, .chips, .alternatives { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; margin: 12px 0; padding: 0; list-style: none; }
      .chips button { border-radius: 16px; background: #e6f1f8; border-color: #7cb8e0; }
      pre { background: #f4f6f9; border: 1px solid #dde2ea; border-radius: 8px; padding: 12px; overflow: auto; font-size: 13px; }
      progress { width: 100%; height: 12px; accent-color: #00629b; }
      .status { padding: 40px 20px; max-width: 640px; margin: 0 auto; }
      li { margin: 2px 0; }
    </style>
  </head>
  <body>
    <noscript>This page draws charts in the browser, so it needs JavaScript. The API and its <a href="/docs">docs</a> do not.</noscript>
    <script type="module" src="/embed/demo.js"></script>
  </body>
</html>
`;
