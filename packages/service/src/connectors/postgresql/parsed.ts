import type { Client, Connection, FieldDef } from 'pg';

/**
 * Has the server parse a text as one statement, and gives what its rows would be; it is not run. A text of several
 * statements is an error of the server here.
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
      handleRowDescription(told: { readonly fields: readonly FieldDef[] }) {
        fields = told.fields;
      },
      handleError: reject,
      handleReadyForQuery() {
        resolve(fields);
      },
    });
  });
