import type { Client, Connection, FieldDef } from 'pg';

/**
 * Has the server parse a query as a single statement and returns its columns, without running it. Text with several
 * statements is an error of the server.
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
