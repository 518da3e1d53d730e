import { createPlugin } from './plugin.ts';

// PLUGIN_SECRET=… PLUGIN_TOKEN=… node examples/plugin/server.ts
const { PORT = '4040', PLUGIN_SECRET: secret, PLUGIN_TOKEN: token } = process.env;
if (secret === undefined || token === undefined) throw new Error('Set PLUGIN_SECRET and PLUGIN_TOKEN.');

const server = createPlugin({ secret, token });
server.listen(Number(PORT), '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : PORT;
  console.log(`The plugin listens on http://127.0.0.1:${port}`);
});
