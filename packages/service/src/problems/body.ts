import type { ProblemBody } from '@inlay/contract';
import { catalogue } from './catalogue.ts';
import type { Problem } from './problem.ts';

const descriptions: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
  507: 'Insufficient Storage',
};

export function problemBody(problem: Problem, requestId: string): ProblemBody {
  const { code, message, validation } = problem.data;
  const { status } = catalogue[code];
  return {
    type: { code: status, description: descriptions[status] ?? 'Error' },
    message,
    code,
    ...(validation === undefined ? {} : { validation }),
    request_id: requestId,
  };
}
