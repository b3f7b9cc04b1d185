import { sql } from 'kysely'
import type { Finding } from '../../src/operations/audit/finding.ts'
import { sealQueue } from '../../src/operations/audit/seal-chain.ts'
import { type NotedHead, verifyChain } from '../../src/operations/audit/verify-chain.ts'
import { createAuditWriter } from '../../src/platform/audit/write-audit.ts'
import { loadSecrets } from '../../src/platform/config/secrets.ts'
import { openTestDatabase } from '../database/test-database.ts'

/** Opens a separate audit trail to tamper with. `clock` is the time of the next rows. */
export const openAuditTrail = async () => {
  const database = await openTestDatabase()
  const { db } = database
  const secrets = loadSecrets('um segredo só deste teste, com tamanho', database.dataDir)
  const clock = { now: new Date() }
  const writeAudit = createAuditWriter(secrets, () => clock.now)
  const verify = async (noted?: NotedHead) => {
    const findings: Finding[] = []
    const verification = await verifyChain(db, secrets, (finding) => findings.push(finding), noted)
    return { ...verification, findings }
  }
  return {
    ...database,
    secrets,
    clock,
    writeAudit,
    /** Writes rows without sealing them. */
    write: async (count: number) => {
      for (let n = 1; n <= count; n += 1) {
        const antes = { nomeGrupo: `Antes ${n}` }
        const depois = { nomeGrupo: `Depois ${n}`, z: [1, { b: 2, a: null }] }
        await writeAudit(db, {
          action: 'workspace.updated',
          idUsuario: n,
          subject: `workspace:${n}`,
          details: { antes, depois },
        })
      }
    },
    seal: () => sealQueue(db, secrets),
    verify,
    found: async () => (await verify()).findings.map(({ what, idAuditoria }) => ({ id: idAuditoria, what })),
    /** Changes the database directly, as an attacker would. */
    run: (statement: string) => sql.raw(statement).execute(db),
  }
}
