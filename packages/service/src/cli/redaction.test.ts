import { randomUUID } from 'node:crypto';
import pino from 'pino';
import { expect, it } from 'vitest';
import { redaction } from './redaction.ts';

const logged = (line: object): unknown => {
  const lines: string[] = [];
  const destination = { write: (text: string) => void lines.push(text) };
  pino({ redact: redaction, base: null, timestamp: false }, destination).info(line);
  return JSON.parse(lines.join(''));
};

it('a line has no secret at any depth, and names the authorization of a request by its id', () => {
  const id = randomUUID();
  const secrets = { token: 'canary', key: 'canary', authorization: id };
  const line = { authorization: id, token: 'canary', request: secrets, outer: { inner: secrets } };
  const censored = { token: '[redacted]', key: '[redacted]', authorization: '[redacted]' };
  expect(logged(line)).toEqual({
    level: 30,
    authorization: id,
    token: '[redacted]',
    request: censored,
    outer: { inner: censored },
  });
  expect(logged({ authorization: 'Bearer canary' })).toMatchObject({ authorization: '[redacted]' });
});
