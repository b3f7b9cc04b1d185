import type { WriteAudit } from '../../platform/audit/write-audit.ts'
import type { Secrets } from '../../platform/config/secrets.ts'
import type { Db } from '../../platform/db/open-database.ts'
import { hasChanged } from '../../platform/db/queries/outcomes.ts'
import { inTransaction } from '../../platform/db/transactions/in-transaction.ts'
import { type ChainEnd, type ChainLink, expectedLink, hasValidRowMac, signChainEnd } from './chain.ts'
import { type LinkedRow, readLinks } from './read-links.ts'
import { readEnds } from './seal-chain.ts'

interface Options {
  db: Db
  secrets: Secrets
  writeAudit: WriteAudit
  /** Rows older than this are deleted. */
  before: Date
  /** Rows per transaction. */
  batchSize?: number
}

/**
 * Deletes rows after the retention period from the beginning of the chain, and audits how many.
 * Deletes only rows that match their seal, so that altering a row's date does not get it deleted.
 * @returns the number of deleted rows
 * @throws Error when the next row does not match its seal
 */
export const deleteExpiredAuditRows = async ({
  db,
  secrets,
  writeAudit,
  before,
  batchSize = 1_000,
}: Options): Promise<number> => {
  for (let dropped = 0; ; ) {
    const { inicio, fim } = await readEnds(db, secrets)
    const linked = await readLinks(db, inicio.ordem, batchSize)
    const { old, isBroken } = oldOnes(linked, { secrets, inicio, fim, before })
    const last = old.at(-1)
    if (last) {
      const isDone = await inTransaction(db, async (tx) => {
        if (!(await moveBeginning(tx, secrets, inicio, last))) return false
        const ids = old.map(({ idAuditoria }) => idAuditoria)
        await tx.deleteFrom('auditoriaElo').where('ordem', '<=', last.ordem).execute()
        await tx.deleteFrom('auditoria').where('idAuditoria', 'in', ids).execute()
        await writeAudit(tx, {
          action: 'audit.trimmed',
          idUsuario: null,
          details: { linhas: old.length, ate: last.quando },
        })
        return true
      })
      // Another process is trimming.
      if (!isDone) return dropped
      dropped += old.length
    }
    if (isBroken) {
      throw new Error(
        'The oldest rows of the audit trail are not what was sealed: run `npm run audit:verify`.',
      )
    }
    if (old.length < batchSize) return dropped
  }
}

/** Returns the rows to delete, and whether the first remaining row does not match its seal. */
const oldOnes = (
  linked: LinkedRow[],
  { secrets, inicio, fim, before }: { secrets: Secrets; inicio: ChainEnd; fim: ChainEnd; before: Date },
) => {
  const old: OldRow[] = []
  for (const { link, row } of linked) {
    const { ordem, elo } = old.at(-1) ?? inicio
    const isTrue =
      row &&
      link.ordem === ordem + 1 &&
      hasValidRowMac(secrets, row) &&
      expectedLink(secrets, elo, link, row) === link.elo
    if (!isTrue) return { old, isBroken: true }
    // The last link stays, because the next one depends on it.
    if (row.quando >= before || link.ordem === fim.ordem) break
    old.push({ ...link, quando: row.quando })
  }
  return { old, isBroken: false }
}

type OldRow = ChainLink & { quando: Date }

const moveBeginning = (tx: Db, secrets: Secrets, inicio: ChainEnd, last: ChainLink): Promise<boolean> => {
  const { ponta, ...moved } = signChainEnd(secrets, { ponta: 'inicio', ordem: last.ordem, elo: last.elo })
  return hasChanged(
    tx.updateTable('auditoriaPonta').set(moved).where('ponta', '=', ponta).where('ordem', '=', inicio.ordem),
  )
}
