/** Holds a successful answer against the OpenAPI document. Raises an Error that says where it differs. */
export function checkAnswer(_resource: string, _operation: string, _body: string): void {
  // filled in by the OpenAPI work
}
