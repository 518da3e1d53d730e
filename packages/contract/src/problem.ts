/** The faults of a request by path. Each fault says how to fix it. */
export type Validation = Readonly<Record<string, readonly string[]>>;

/** The body of error responses. */
export interface ProblemBody {
  readonly type: { readonly code: number; readonly description: string };
  readonly message: string;
  readonly code: string;
  readonly validation?: Validation;
  readonly request_id: string;
}
