import { sql } from 'kysely'
import type { Secrets } from '../../platform/config/secrets.ts'
import type { Db } from '../../platform/db/open-database.ts'
import { hasRow } from '../../platform/db/queries/outcomes.ts'
import { type ChainEnd, expectedLink, hasValidEndMac, hasValidRowMac } from './chain.ts'
import type { Finding } from './finding.ts'
import { type LinkedRow, readLinks } from './read-links.ts'
import { findEnds } from './seal-chain.ts'
import { findStrayRows } from './stray-rows.ts'

/** An end of the chain that an operator noted earlier: `ordem:elo`. */
export interface NotedHead {
  ordem: number
  elo: string
}

export interface Verification {
  sealed: number
  /** Recent rows that are not sealed yet. */
  waiting: number
  /** Rows deleted after the retention period, before the first remaining one. */
  trimmed: number
  /** Undefined when nothing is sealed. */
  head: NotedHead | undefined
}

const batchSize = 2_000

/**
 * Checks the whole chain in batches, and reports everything that was not written by the portal. On
 * PostgreSQL, run it in a repeatable-read transaction, so that concurrent sealing causes no
 * findings.
 */
export const verifyChain = async (
  db: Db,
  secrets: Secrets,
  report: (finding: Finding) => void,
  noted?: NotedHead,
): Promise<Verification> => {
  const { inicio, fim } = await findEnds(db)
  const walk = createWalk(secrets, report, { inicio, noted })
  for (let after = -1; ; ) {
    const batch = await readLinks(db, after, batchSize)
    for (const linked of batch) walk.step(linked)
    const last = batch.at(-1)
    if (!last || batch.length < batchSize) break
    after = last.link.ordem
  }
  const { sealed, last, atNoted } = walk.result()
  const waiting = await countQueue(db)
  verifyEnds({ secrets, report, inicio, fim, last, sealed })
  if (!inicio && !fim && sealed === 0 && waiting === 0 && (await wasUsed(db))) {
    report({ what: 'a trilha está vazia, embora já se tenha entrado no portal: foi apagada por inteiro' })
  }
  if (noted) verifyNoted({ report, noted, inicio, found: atNoted, last })
  for await (const finding of findStrayRows(db, secrets, { inicio, fim })) report(finding)
  return {
    sealed,
    waiting,
    trimmed: inicio?.ordem ?? 0,
    head: sealed > 0 || (fim?.ordem ?? 0) > 0 ? { ordem: last.ordem, elo: last.elo } : undefined,
  }
}

/** Each sign-in writes an audit line, so a session without any line proves a deletion. */
const wasUsed = (db: Db): Promise<boolean> => hasRow(db.selectFrom('sessao').select('idSessao').limit(1))

const createWalk = (
  secrets: Secrets,
  report: (finding: Finding) => void,
  { inicio, noted }: { inicio: ChainEnd | undefined; noted: NotedHead | undefined },
) => {
  /** After a rotation without the former key, its HMACs cannot be checked. */
  const keyLacking = (chave: string | null): string =>
    chave !== null && secrets.signatureBy(chave, '') === undefined
      ? `, ou marcado com uma chave que falta (${chave})`
      : ''
  /** The previous link, as stored and as expected, so that one wrong link is only one finding. */
  let before = { ordem: inicio?.ordem ?? 0, elo: inicio?.elo ?? '', expected: inicio?.elo ?? '' }
  let sealed = 0
  let atNoted = noted && noted.ordem === before.ordem ? before.elo : undefined

  const step = ({ link, row }: LinkedRow): void => {
    const named = { idAuditoria: link.idAuditoria, quando: row?.quando, acao: row?.acao }
    const isNext = link.ordem === before.ordem + 1
    if (!isNext) report({ what: gap(before.ordem, link.ordem), ...named })
    const expected = row && expectedLink(secrets, before.elo, link, row)
    if (!row) report({ what: 'registro apagado: o elo que o selou ficou', ...named })
    else if (!hasValidRowMac(secrets, row))
      report({ what: `registro alterado${keyLacking(row.chave)}`, ...named })
    else if (
      isNext &&
      link.elo !== expected &&
      link.elo !== expectedLink(secrets, before.expected, link, row)
    ) {
      const what = row.evento === null ? `registro alterado, ou ${misplaced}` : misplaced
      report({ what: `${what}${keyLacking(link.chave)}`, ...named })
    }
    sealed += 1
    before = { ordem: link.ordem, elo: link.elo, expected: expected ?? link.elo }
    if (noted?.ordem === link.ordem) atNoted = link.elo
  }
  return { step, result: () => ({ sealed, last: before, atNoted }) }
}

const misplaced = 'registro fora de lugar: trocado, incluído, ou o elo foi alterado'

const gap = (before: number, found: number): string => {
  const missing = found - before - 1
  if (missing <= 0) return `elo incluído fora de ordem (nº ${found} depois do nº ${before})`
  const which = missing === 1 ? `o elo nº ${before + 1}` : `os elos nº ${before + 1} a ${found - 1}`
  return `registros apagados: falta${missing === 1 ? '' : 'm'} ${which}, logo antes deste registro`
}

interface VerifiedChain {
  secrets: Secrets
  report: (finding: Finding) => void
  inicio: ChainEnd | undefined
  fim: ChainEnd | undefined
  last: NotedHead
  sealed: number
}

const verifyEnds = ({ secrets, report, inicio, fim, last, sealed }: VerifiedChain): void => {
  if (!inicio && !fim && sealed === 0) return
  for (const [name, end] of [['início', inicio] as const, ['fim', fim] as const]) {
    if (!end) report({ what: `a marca do ${name} da cadeia foi apagada` })
    else if (!hasValidEndMac(secrets, end)) report({ what: `a marca do ${name} da cadeia foi alterada` })
  }
  if (!fim) return
  if (fim.ordem > last.ordem) {
    const from = last.ordem + 1
    const which = fim.ordem === from ? `falta o elo nº ${from}` : `faltam os elos nº ${from} a ${fim.ordem}`
    report({ what: `o fim da cadeia foi cortado: ${which}` })
  } else if (fim.ordem < last.ordem) {
    report({ what: `elos incluídos depois do fim da cadeia (nº ${fim.ordem + 1} a ${last.ordem})` })
  } else if (fim.elo !== last.elo) report({ what: `o último elo (nº ${fim.ordem}) não é o que foi escrito` })
}

const verifyNoted = ({
  report,
  noted,
  inicio,
  found,
  last,
}: Pick<VerifiedChain, 'report' | 'inicio' | 'last'> & {
  noted: NotedHead
  found: string | undefined
}): void => {
  if (found === noted.elo) return
  if (noted.ordem < (inicio?.ordem ?? 0)) {
    report({
      what: `a ponta anotada (nº ${noted.ordem}) já foi descartada pelo prazo de guarda e não pode mais ser conferida`,
    })
  } else if (noted.ordem > last.ordem) {
    report({ what: `a cadeia termina no nº ${last.ordem}, antes da ponta anotada (nº ${noted.ordem})` })
  } else report({ what: `o elo nº ${noted.ordem} não é o da ponta anotada` })
}

const countQueue = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ total: number }>`
    select count(*)::int as total from auditoria_fila f join auditoria a using (id_auditoria)`.execute(db)
  return rows[0]?.total ?? 0
}
