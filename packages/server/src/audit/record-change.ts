import { fieldLabels } from '@bi-manager/contract'
import { sql } from 'kysely'
import type { Db } from '../db/open-database.ts'
import { Problem } from '../problem.ts'

type Fields = Record<string, unknown>

/** What changed between two states of a record, field by field, for the audit. Secrets are not in records. */
export const changeOf = (before: Fields, after: Fields & { versao: number }) => {
  const changed = Object.keys(after).filter(
    (field) => field !== 'versao' && JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  )
  const pick = (fields: Fields) => Object.fromEntries(changed.map((field) => [field, fields[field]]))
  return { versao: after.versao, antes: pick(before), depois: pick(after) }
}

/**
 * Why an update found no row of the version it was based on: the record is gone (404), or somebody else changed it (412, with
 * who, what and when).
 * @param subject as the audit names it, such as `workspace:12`
 */
export const missedUpdate = async (
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
  const labels = [...fields].flatMap((field) => fieldLabels[field] ?? [])
  const who = latest.nomeUsuario ?? 'Alguém'
  const what = labels.length > 0 ? inWords.format(labels) : 'este cadastro'
  const detail = `${who} alterou ${what} em ${day.format(latest.quando)} às ${hour.format(latest.quando)}, depois que você abriu este cadastro.`
  return new Problem('versao_antiga', { detail })
}

/** Of medical records the trail keeps the names of the fields alone. */
const changedFields = ({ campos, depois }: Fields): string[] =>
  Array.isArray(campos) ? campos.map(String) : Object.keys((depois as Fields) ?? {})

const timeZone = 'America/Sao_Paulo'
const inWords = new Intl.ListFormat('pt-BR', { type: 'conjunction' })
const day = new Intl.DateTimeFormat('pt-BR', { dateStyle: 'short', timeZone })
const hour = new Intl.DateTimeFormat('pt-BR', { hour: '2-digit', minute: '2-digit', timeZone })
