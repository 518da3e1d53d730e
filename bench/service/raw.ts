// Plain node:http that answers fixed bytes: what HTTP alone costs.
import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';

const [, , file = '', port = '0'] = process.argv;
const bytes = readFileSync(file);
const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => {
    response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': bytes.length });
    response.end(bytes);
  });
});
server.listen(Number(port), '127.0.0.1', () => process.stdout.write('ready\n'));
