import { pipeline, Readable } from 'node:stream'
import { csvColumnsOf, type Entity } from '@bi-manager/contract'
import { type Options, stringify } from 'csv-stringify'
import { stringify as stringifySync } from 'csv-stringify/sync'
import type { FastifyReply } from 'fastify'
import type { Db } from '../../db/open-database.ts'
import type { WholeList } from '../../db/queries/list-page.ts'
import { momentText } from '../../lib/local-time.ts'
import type { AuditIn } from '../caller-transaction.ts'

interface Export {
  /** The audit action. */
  action?: 'list.exported' | 'audit.exported' | 'access-log.exported'
  /** Name of the file, and of the list in the audit: `workspaces`. */
  name: string
  /** Name of the list in the audit, where it differs from the file's. */
  subject?: string
  /** Filters and order of the list. */
  query: Record<string, unknown>
  /** Rows, or lines that are CSV already (`csvLine`). */
  list: WholeList<object> | { count: number; lines: AsyncGenerator<string> }
  /** Field → heading. */
  columns: Columns
}

type Columns = Record<string, string>

/** Records the export in the audit and returns it as a file download. */
export const answerCsv = async (
  db: Db,
  { auditIn, reply }: { auditIn: AuditIn; reply: FastifyReply },
  { action = 'list.exported', name, subject = name, query, list, columns }: Export,
): Promise<Readable> => {
  await auditIn(db, action, subject, { linhas: list.count, ...query })
  reply.header('content-disposition', `attachment; filename="${name}.csv"`)
  return 'lines' in list ? streamOf(list.lines, columns) : csvStream(list.rows, columns)
}

/** Answers a list of records as CSV. */
export const answerEntitiesCsv = (
  db: Db,
  context: Parameters<typeof answerCsv>[1],
  entity: Entity,
  answer: { query: Record<string, unknown>; list: WholeList<object> },
): Promise<Readable> =>
  answerCsv(db, context, { name: entity.list, columns: csvColumnsOf(entity), ...answer })

/** Returns a CSV line that several answers can share. Takes about 7 µs. */
export const csvLine = (row: object, columns: Columns): string =>
  stringifySync([row], { ...formatOf(columns), header: false, bom: false })

const streamOf = (lines: AsyncGenerator<string>, columns: Columns): Readable => {
  async function* withHead() {
    yield stringifySync([], formatOf(columns))
    yield* lines
  }
  return Readable.from(withHead(), { objectMode: false })
}

const csvStream = (rows: AsyncGenerator<object>, columns: Columns): Readable => {
  const lines = stringify(formatOf(columns))
  // Ends the reading when the client disconnects, and the answer when the reading fails.
  pipeline(Readable.from(rows), lines, () => {})
  return lines
}

/**
 * A table as Brazilian spreadsheets open it: semicolons, byte order mark, CRLF. A cell that a
 * spreadsheet would run as a formula is written as text (OWASP: CSV injection).
 */
const formatOf = (columns: Columns): Options => ({
  header: true,
  columns: Object.entries(columns).map(([key, header]) => ({ key, header })),
  delimiter: ';',
  record_delimiter: 'windows',
  bom: true,
  escape_formulas: true,
  // Quotes cells with commas, for programs that also split at commas, and cells of several lines:
  // the library quotes only those with the delimiter of records, which is CRLF.
  quoted_match: /[,\r\n]/,
  cast: {
    boolean: (value) => (value ? 'sim' : 'não'),
    date: momentText,
  },
})
