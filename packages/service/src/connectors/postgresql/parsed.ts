import type { Client, Connection, FieldDef } from 'pg';

/**
 * Lets the server parse a query as a single statement, but does not run it. Returns the columns of the query. The
 * server raises an error if the text has several statements.
 */
export const parsed = (client: Client, text: string): Promise<readonly FieldDef[]> =>
  new Promise((resolve, reject) => {
    let fields: readonly FieldDef[] = [];
    client.query({
      submit(connection: Connection) {
        connection.parse({ name: '', text, types: [] }, true);
        connection.describe({ type: 'S', name: '' }, true);
        connection.sync();
      },
      handleRowDescription(description: { readonly fields: readonly FieldDef[] }) {
        fields = description.fields;
      },
      handleError: reject,
      handleReadyForQuery() {
        resolve(fields);
      },
    });
  });
