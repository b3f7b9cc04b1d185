import { entityOf, fieldLabels } from '@bi-manager/contract'
import { sql } from 'kysely'
import type { Db } from '../db/open-database.ts'
import { dayText, timeText } from '../lib/local-time.ts'
import { Problem } from '../lib/problem.ts'

type Fields = Record<string, unknown>

/**
 * Returns the changed fields of a record, before and after, for the audit. Records must contain no
 * secrets.
 */
export const changeOf = (before: Fields, after: Fields & { versao: number }) => {
  const changed = Object.keys(after).filter(
    (field) => field !== 'versao' && JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  )
  const pick = (fields: Fields) => Object.fromEntries(changed.map((field) => [field, fields[field]]))
  return { versao: after.versao, antes: pick(before), depois: pick(after) }
}

/**
 * Returns why an update matched no row: the record is gone (404), or it has a newer version (412,
 * with author, fields and time of the change).
 * @param subject the object's name in the audit, such as `workspace:12`
 */
export const explainMissedUpdate = async (
  db: Db,
  { exists, subject, ifMatch = 0 }: { exists: boolean; subject: string; ifMatch: number | undefined },
): Promise<Problem> => {
  if (!exists) return new Problem('nao_encontrado')
  const changes = await db
    .selectFrom('auditoria')
    .leftJoin('usuario', 'usuario.idUsuario', 'auditoria.idUsuario')
    .select(['nomeUsuario', 'quando', 'detalhes'])
    .where('objeto', '=', subject)
    .where(sql<boolean>`acao like '%.updated'`)
    .where(sql<boolean>`(detalhes ->> 'versao')::int > ${ifMatch}`)
    .orderBy('idAuditoria', 'desc')
    .limit(20)
    .execute()
  const [latest] = changes
  if (!latest) return new Problem('versao_antiga')
  const fields = new Set(changes.flatMap(({ detalhes }) => changedFields(detalhes)))
  const described = entityOf(subject)?.fields ?? {}
  const labels = [...fields].flatMap((field) =>
    described[field]?.isDerived ? [] : (fieldLabels[field] ?? []),
  )
  const who = latest.nomeUsuario ?? 'Alguém'
  const what = labels.length > 0 ? inWords.format(labels) : 'este cadastro'
  const detail = `${who} alterou ${what} em ${dayText(latest.quando)} às ${timeText(latest.quando)}, depois que você abriu este cadastro.`
  return new Problem('versao_antiga', { detail })
}

/** For medical records the trail has only the names of the fields. */
const changedFields = ({ campos, depois }: Fields): string[] =>
  Array.isArray(campos) ? campos.map(String) : Object.keys((depois as Fields) ?? {})

const inWords = new Intl.ListFormat('pt-BR', { type: 'conjunction' })
