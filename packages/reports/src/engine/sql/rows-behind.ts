import type { Database } from '../data/database/database.ts'

/**
 * Returns SQL for the rows that a checked SELECT aggregates: all columns of its FROM, with its
 * WHERE. Undefined when it has no such rows, as for a UNION. The caller checks the SQL again.
 */
export const rowsBehind = async (database: Database, sql: string): Promise<string | undefined> => {
  const [row] = await database.query(REWRITE, { sql, changes: JSON.stringify(changes) })
  return typeof row?.[0] === 'string' ? row[0] : undefined
}

/** DuckDB edits its own parse tree: JavaScript would round the large numbers in it. */
const REWRITE = `
SELECT json_deserialize_sql(json_object('error', false, 'statements', json_array(json_object(
  'node', json_merge_patch(node, $changes::JSON), 'named_param_map', json_array()))))
FROM (SELECT json_serialize_sql($sql::VARCHAR) -> '$.statements[0].node' AS node)
WHERE (node ->> '$.type') = 'SELECT_NODE' AND (node ->> '$.from_table.type') <> 'EMPTY'`

/** `SELECT *` in DuckDB's parse tree, without what follows WHERE; null removes a clause. */
const changes = {
  select_list: [
    {
      class: 'STAR',
      type: 'STAR',
      alias: '',
      query_location: 0,
      relation_name: '',
      exclude_list: [],
      replace_list: [],
      columns: false,
      expr: null,
      qualified_exclude_list: [],
      rename_list: [],
    },
  ],
  group_expressions: [],
  group_sets: [],
  aggregate_handling: 'STANDARD_HANDLING',
  having: null,
  qualify: null,
  modifiers: [],
}
