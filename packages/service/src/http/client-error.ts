import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { apiMethods } from '../pipeline/identify.ts';
import { catalogue, type ProblemCode } from '../problems/catalogue.ts';
import { Problem } from '../problems/problem.ts';
import { problemBody } from '../problems/body.ts';

const codes: Readonly<Record<string, ProblemCode>> = {
  HPE_HEADER_OVERFLOW: 'header_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  CONNECT: 'method_not_allowed',
};

/** Answers malformed HTTP with a problem and ends the connection. */
export function answerClientError(error: Error & { readonly code?: string }, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const problemCode = codes[error.code ?? ''] ?? 'http_invalid';
  const { status } = catalogue[problemCode];
  const requestId = randomUUID();
  const body = JSON.stringify(problemBody(new Problem(problemCode), requestId));
  const headers = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    'x-content-type-options: nosniff',
    'cache-control: no-store',
    'connection: close',
    ...(status === 405 ? [`allow: ${apiMethods.join(', ')}`] : []),
  ];
  socket.end(`${headers.join('\r\n')}\r\n\r\n${body}`);
}

/**
 * Refuses CONNECT, since the service is not a proxy. Node emits it before routing, and drops the connection if there is
 * no listener.
 */
export const refuseConnect = (_request: unknown, socket: Duplex): void =>
  answerClientError(Object.assign(new Error('no proxy'), { code: 'CONNECT' }), socket);
