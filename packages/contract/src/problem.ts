/** Every fault of a request by its place, each with what is wrong and how to mend it. */
export type Validation = Readonly<Record<string, readonly string[]>>;

/** The body of every answer that is not a success. */
export interface ProblemBody {
  readonly type: { readonly code: number; readonly description: string };
  readonly message: string;
  readonly code: string;
  readonly validation?: Validation;
  readonly request_id: string;
}
