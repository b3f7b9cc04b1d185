import type { Selectable } from 'kysely'
import type { Tables } from '../db/types.ts'
/** A row of the audit trail, as read from the database. */
export type AuditRow = Omit<Selectable<Tables['auditoria']>, 'idAuditoria' | 'chave' | 'marca'>

/** Returns the row as text for its HMAC, the same before the insert and after a read. */
export const rowText = (row: AuditRow): string =>
  JSON.stringify([
    row.evento,
    row.quando.toISOString(),
    row.idUsuario,
    row.acao,
    row.objeto,
    ordered(row.detalhes),
    row.endereco,
    row.idRequisicao,
  ])

/** jsonb keeps neither the order of keys nor values that JSON does not have. */
const ordered = (value: unknown): unknown => {
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.map((item) => ordered(item === undefined ? null : item))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, ordered(item)]),
  )
}
