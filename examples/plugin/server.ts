import { createPlugin } from './plugin.ts';

// PLUGIN_SECRET=… PLUGIN_TOKEN=… node examples/plugin/server.ts
const { PORT = '4040', PLUGIN_SECRET: secret, PLUGIN_TOKEN: token } = process.env;

function start(given: { readonly secret: string; readonly token: string }): void {
  const server = createPlugin(given);
  server.once('error', (error) => {
    const isTaken = 'code' in error && error.code === 'EADDRINUSE';
    const says = isTaken ? `Port ${PORT} is taken. Choose another: PORT=${Number(PORT) + 1}` : error.message;
    console.error(says);
    process.exitCode = 1;
  });
  server.listen(Number(PORT), '127.0.0.1', () => {
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : PORT;
    console.log(`The plugin listens on http://127.0.0.1:${port}`);
  });
}

if (secret === undefined || token === undefined) {
  console.error('Set PLUGIN_SECRET and PLUGIN_TOKEN.');
  process.exitCode = 2;
} else {
  start({ secret, token });
}
