import { sql } from 'kysely'
import {
  type AccessSeal,
  digestOf,
  hasValidAccessMac,
  numbersIn,
  purposeContext,
} from '../../clinical/index.ts'
import type { Secrets } from '../../platform/config/secrets.ts'
import type { Db } from '../../platform/db/open-database.ts'
import { orUndefined } from '../../platform/lib/or-undefined.ts'
import type { Finding } from './finding.ts'

const batchSize = 2_000

/**
 * Checks the access log in batches, and reports altered and deleted rows. A deleted row is detected
 * through the audit line of its call, as long as that is kept.
 * @returns the number of rows
 */
export const verifyAccesses = async (
  db: Db,
  secrets: Secrets,
  report: (finding: Finding) => void,
): Promise<number> => {
  const total = await verifyRows(db, secrets, report)
  await verifyCalls(db, report)
  return total
}

const verifyRows = async (db: Db, secrets: Secrets, report: (finding: Finding) => void): Promise<number> => {
  let total = 0
  for (let after = -1; ; ) {
    const rows = await db
      .selectFrom('acessoSaude')
      .selectAll()
      .where('idAcesso', '>', after)
      .orderBy('idAcesso')
      .limit(batchSize)
      .execute()
    for (const row of rows) {
      const { idAcesso, quando, acao, chave, finalidadeTexto } = row
      const found = (what: string) => report({ what, idAcesso, quando, acao })
      if (secrets.signatureBy(chave, '') === undefined) {
        found(`acesso incluído ou alterado, ou marcado com uma chave que falta (${chave})`)
      } else if (!hasValidAccessMac(secrets, row))
        found('acesso incluído ou alterado: a marca dele não confere')
      else if (
        finalidadeTexto !== null &&
        orUndefined(() => secrets.decrypt(finalidadeTexto, purposeContext(idAcesso))) === undefined
      ) {
        found('o texto da finalidade foi alterado, ou cifrado com uma chave que falta')
      }
    }
    total += rows.length
    const last = rows.at(-1)
    if (!last || rows.length < batchSize) return total
    after = last.idAcesso
  }
}

/** Checks for each audit line that the access rows it names exist and match its digest. */
const verifyCalls = async (db: Db, report: (finding: Finding) => void): Promise<void> => {
  for (let after = -1; ; ) {
    const { rows: calls } = await sql<Call>`
      select id_auditoria, quando, detalhes -> 'acessos' as acessos from auditoria
      where id_auditoria > ${after} and detalhes -> 'acessos' ->> 'linhas' is not null
      order by id_auditoria limit ${batchSize}`.execute(db)
    for (const call of calls) await verifyCall(db, call, report)
    const last = calls.at(-1)
    if (!last || calls.length < batchSize) return
    after = last.idAuditoria
  }
}

interface Call {
  idAuditoria: number
  quando: Date
  acessos: AccessSeal
}

const verifyCall = async (
  db: Db,
  { idAuditoria, quando, acessos }: Call,
  report: (finding: Finding) => void,
): Promise<void> => {
  const numbers = numbersIn(acessos.linhas)
  if (!numbers) {
    report({ what: `os acessos do registro ${idAuditoria} da auditoria não podem ser lidos`, quando })
    return
  }
  const rows = await db
    .selectFrom('acessoSaude')
    .select(['idAcesso', 'marca'])
    .where(sql<boolean>`id_acesso = any(${numbers}::bigint[])`)
    .orderBy('idAcesso')
    .execute()
  const there = new Set(rows.map(({ idAcesso }) => idAcesso))
  const gone = numbers.filter((number) => !there.has(number))
  for (const idAcesso of gone) {
    report({
      what: `acesso apagado: a chamada dele está na auditoria (registro ${idAuditoria})`,
      idAcesso,
      quando,
    })
  }
  if (gone.length > 0 || digestOf(rows) === acessos.resumo) return
  const what = `acessos ${acessos.linhas} trocados: não são os que a chamada escreveu (registro ${idAuditoria} da auditoria)`
  report({ what, quando })
}
