import { Readable } from 'node:stream'
import { csvCell, csvColumnsOf, csvFile, csvLine, type Entity } from '@bi-manager/contract'
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
  /** Rows, or lines that are CSV already (`lineOf`). */
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
  return Readable.from(linesOf(list, columns), { objectMode: false })
}

/** Answers a list of records as CSV. */
export const answerEntitiesCsv = (
  db: Db,
  context: Parameters<typeof answerCsv>[1],
  entity: Entity,
  answer: { query: Record<string, unknown>; list: WholeList<object> },
): Promise<Readable> =>
  answerCsv(db, context, { name: entity.list, columns: csvColumnsOf(entity), ...answer })

async function* linesOf(list: Export['list'], columns: Columns): AsyncGenerator<string> {
  yield csvFile([Object.values(columns)])
  if ('lines' in list) yield* list.lines
  else for await (const row of list.rows) yield lineOf(row, columns)
}

/** Returns the CSV line of a row, which several answers can share. */
export const lineOf = (row: object, columns: Columns): string =>
  csvLine(Object.keys(columns).map((key) => cellOf((row as Record<string, unknown>)[key])))

const cellOf = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (typeof value === 'boolean') return value ? 'sim' : 'não'
  if (value instanceof Date) return momentText(value)
  return csvCell(typeof value === 'string' ? value : JSON.stringify(value))
}
