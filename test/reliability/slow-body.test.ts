import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { createBodyDeadline } from '../../packages/service/src/http/body-deadline.ts';
import { createServer } from 'node:http';

it('a body that does not come is answered 408, and the connection ends', async () => {
  const deadline = createBodyDeadline(300, () => performance.now());
  const server = createServer((request) => deadline.began(request));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const answer = await new Promise<string>((resolve) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(
        'POST /0.1.0/theme HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"fi',
      );
    });
    socket.on('data', (chunk) => (text += chunk.toString()));
    socket.on('close', () => resolve(text));
  });
  deadline.close();
  server.close();
  expect(answer).toMatch(/^HTTP\/1\.1 408 /u);
  expect(answer).toContain('"code":"request_timeout"');
});
