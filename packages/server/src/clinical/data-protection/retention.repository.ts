import { brazilianDayOf, RETENTION_YEARS, type RetentionEntry } from '@bi-manager/contract'
import { sql } from 'kysely'
import type { Secrets } from '../../platform/config/secrets.ts'
import type { Db } from '../../platform/db/open-database.ts'
import { type ListPage, listPage } from '../../platform/db/queries/list-page.ts'
import { dayOf } from '../../platform/lib/local-time.ts'
import { decryptData } from '../beneficiaries/beneficiaries.ts'

/** Returns beneficiaries with an entry, archived or not; the earliest disposal date first. */
export const listRetention = async (
  db: Db,
  { secrets, now }: { secrets: Secrets; now: Date },
  query: { pagina?: number | undefined; tamanho?: number | undefined },
): Promise<ListPage<RetentionEntry>> => {
  const page = await listPage(
    db,
    db
      .selectFrom('beneficiario')
      .select(['id', 'dados', 'versao', 'ultimoRegistro'])
      .where('ultimoRegistro', 'is not', null)
      .$narrowType<{ ultimoRegistro: string }>(),
    {
      query,
      orders: { ultimoRegistro: ['ultimoRegistro', 'id'] },
      byDefault: 'ultimoRegistro',
      large: { name: 'beneficiario', key: 'beneficiario.id', isNarrowed: true },
    },
  )
  const ids = page.rows.map(({ id }) => id)
  const [records, attachments] = [await countOf(db, 'prontuario', ids), await countOf(db, 'anexo', ids)]
  const today = dayOf(now)
  const rows = page.rows.map(({ id, dados, versao, ultimoRegistro }) => {
    const { nome_beneficiario, id_beneficiario } = decryptData(secrets, { id, dados, versao })
    const disposable = disposableOn(ultimoRegistro)
    return {
      beneficiario: id,
      nome_beneficiario,
      id_beneficiario,
      prontuarios: records.get(id) ?? 0,
      anexos: attachments.get(id) ?? 0,
      ultimo_registro: brazilianDayOf(ultimoRegistro),
      descartavel_em: brazilianDayOf(disposable),
      vencido: disposable <= today,
    }
  })
  return { ...page, rows }
}

/**
 * Returns the first day of possible disposal. The term counts from date to date; 29 February
 * becomes 1 March in a common year (Código Civil, art. 132, § 3).
 * @param lastEntry yyyy-mm-dd
 */
const disposableOn = (lastEntry: string): string => {
  const date = new Date(`${lastEntry}T00:00:00Z`)
  date.setUTCFullYear(date.getUTCFullYear() + RETENTION_YEARS)
  return date.toISOString().slice(0, 10)
}

/** Counts the rows of each beneficiary, archived ones too. */
const countOf = async (
  db: Db,
  table: 'prontuario' | 'anexo',
  people: number[],
): Promise<Map<number, number>> => {
  const { rows } = await sql<{ beneficiario: number; total: number }>`
    select beneficiario, count(*)::int as total from ${sql.table(table)}
    where beneficiario = any(${people}::int[]) group by beneficiario`.execute(db)
  return new Map(rows.map(({ beneficiario, total }) => [beneficiario, total]))
}
