import { sql } from 'kysely'
import type { Secrets } from '../../platform/config/secrets.ts'
import type { Db } from '../../platform/db/open-database.ts'
import { type ChainEnd, hasValidRowMac, type SealedRow } from './chain.ts'
import type { Finding } from './finding.ts'
import { type QueueRules, queueRules, type Refusal, readQueue, refusalOf } from './queued-rows.ts'

type Ends = { inicio: ChainEnd | undefined; fim: ChainEnd | undefined }

const batchSize = 2_000

const inWords: Record<Refusal, string> = {
  gone: 'registro apagado antes de ser selado: o lugar dele na fila ficou',
  'sealed before': 'registro já selado e posto outra vez na fila',
  copy: 'registro incluído: repete outro registro',
  'wrong mark': 'registro incluído, ou alterado antes de ser selado: a marca dele não confere',
  'older than what was dropped': 'registro incluído: é mais antigo que os que o prazo de guarda já descartou',
}

/**
 * Yields a finding for each row outside the chain that the portal did not write, or that is a copy.
 */
export async function* findStrayRows(db: Db, secrets: Secrets, ends: Ends): AsyncGenerator<Finding> {
  let rules: QueueRules = await queueRules(db, ends)
  for (let after = -1; ; ) {
    const queued = await readQueue(db, after, batchSize)
    for (const waiting of queued) {
      const { idAuditoria, row } = waiting
      const refusal = refusalOf(secrets, waiting, rules)
      if (refusal) yield { what: inWords[refusal], idAuditoria, quando: row?.quando, acao: row?.acao }
      // A row with an event id has an HMAC: from here on, rows without one are refused.
      else if (row?.evento) rules = { ...rules, takesUnmarked: false }
    }
    const last = queued.at(-1)
    if (!last || queued.length < batchSize) break
    after = last.idAuditoria
  }
  yield* findOutside(db, secrets)
  yield* findCopies(db)
}

/** Yields a finding for each row that is neither sealed nor queued: the portal leaves none. */
async function* findOutside(db: Db, secrets: Secrets): AsyncGenerator<Finding> {
  for (let after = -1; ; ) {
    const rows = await db
      .selectFrom('auditoria as a')
      .select(['idAuditoria', 'evento', 'quando', 'idUsuario', 'acao', 'objeto', 'detalhes', 'endereco'])
      .select(['idRequisicao', 'chave', 'marca'])
      .where('idAuditoria', '>', after)
      .where(sql<boolean>`not exists (select from auditoria_elo e where e.id_auditoria = a.id_auditoria)`)
      .where(sql<boolean>`not exists (select from auditoria_fila f where f.id_auditoria = a.id_auditoria)`)
      .orderBy('idAuditoria')
      .limit(batchSize)
      .execute()
    for (const row of rows) yield { what: outsideWords(row, secrets), ...nameOf(row) }
    const last = rows.at(-1)
    if (!last || rows.length < batchSize) return
    after = last.idAuditoria
  }
}

const outsideWords = (row: SealedRow, secrets: Secrets): string =>
  row.evento !== null && hasValidRowMac(secrets, row)
    ? 'registro fora da cadeia: o elo dele foi apagado, ou ele foi incluído'
    : 'registro incluído: não está na cadeia e a marca dele não confere'

/** Yields a finding for each duplicate. A unique index prevents them, unless it was dropped. */
async function* findCopies(db: Db): AsyncGenerator<Finding> {
  const { rows } = await sql<{ idAuditoria: number; quando: Date; acao: string }>`
    select id_auditoria, quando, acao from auditoria a
    where evento in (select evento from auditoria where evento is not null group by evento having count(*) > 1)
      and not exists (select from auditoria_fila f where f.id_auditoria = a.id_auditoria)
    order by id_auditoria limit 1000`.execute(db)
  for (const row of rows) yield { what: 'registro repetido: há outro com o mesmo evento', ...nameOf(row) }
}

const nameOf = ({ idAuditoria, quando, acao }: { idAuditoria: number; quando: Date; acao: string }) => ({
  idAuditoria,
  quando,
  acao,
})
