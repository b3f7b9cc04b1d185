import { sealQueue } from '@bi-manager/server/operations/audit/seal-chain'
import { startSealer } from '@bi-manager/server/operations/audit/sealer'
import { createConnection, createReport, createWorkspace, grantReport } from '@bi-manager/server/test/reports'
import { startProvider } from '@bi-manager/server/test/stand-ins/provider-stand-in'
import { startTestApp } from '@bi-manager/server/test/test-app'
import { createUser } from '@bi-manager/server/test/users'
import { databaseName, median } from './figures.ts'
import { type Load, measure } from './servers/load.ts'

interface Round extends Load {
  /** Milliseconds of processor time per call, including the load generator's share. */
  cpu: number
}
type Rounds = Record<'off' | 'on', Round[]>

const rounds = 7
const seconds = 3

/**
 * Measures the most frequent audited call under load, alternately with and without the sealing of
 * the audit trail. The queue is sealed between rounds, so that each round starts with an empty one.
 */
export const benchAudit = async (): Promise<void> => {
  const provider = await startProvider()
  const { origin } = provider
  const app = await startTestApp({
    RATE_LIMIT_PER_MINUTE: '1000000',
    POWERBI_AUTHORITY_URL: origin,
    POWERBI_API_URL: origin,
    POWERBI_EMBED_URL: origin,
  })
  const { db, secrets } = app.services
  try {
    const { idPowerBi } = await createConnection(app)
    const user = await createUser(app)
    const { idGrupoRelatorio, idGrupo } = await createWorkspace(app, { idPowerBi })
    const { idRelatorio, reportId } = await createReport(app, { idGrupoRelatorio })
    await grantReport(app, user.idUsuario, idRelatorio)
    const { token } = await app.as(user)
    const server = await app.app.listen({ port: 0, host: '127.0.0.1' })
    const call = {
      url: `${server}/api/usuarios/relatorio/embed`,
      method: 'POST' as const,
      headers: [{ authorization: `Bearer ${token}`, 'content-type': 'application/json' }],
      body: JSON.stringify({ groupId: idGrupo, reportId }),
    }
    const loads: Rounds = { off: [], on: [] }
    const log = { error: (...told: unknown[]) => console.error(...told) }
    const lastRow = async () =>
      (
        await db
          .selectFrom('auditoria')
          .select(({ fn }) => fn.max('idAuditoria').as('id'))
          .executeTakeFirst()
      )?.id ?? 0
    const round = async (work: () => Promise<Load>): Promise<Round> => {
      const [rows, used] = [await lastRow(), process.cpuUsage()]
      const load = await work()
      const { user, system } = process.cpuUsage(used)
      return { ...load, cpu: (user + system) / 1000 / ((await lastRow()) - rows) }
    }
    for (let n = 0; n < rounds; n += 1) {
      loads.off.push(await round(() => measure(call, seconds)))
      await sealQueue(db, secrets)
      loads.on.push(
        await round(async () => {
          const sealer = startSealer({ db, secrets, log })
          const load = await measure(call, seconds)
          const left = await db.selectFrom('auditoriaFila').select('idAuditoria').execute()
          await sealer.stop()
          if (left.length > 2 * load.rate)
            throw new Error(`${left.length} rows were waiting: the sealer does not keep up.`)
          return load
        }),
      )
    }
    print(loads)
  } finally {
    await app.close()
    await provider.close()
  }
}

const print = (loads: Rounds): void => {
  console.log(
    `\nPOST /api/usuarios/relatorio/embed, put on record each time (${databaseName}, medians of ${rounds}):\n`,
  )
  const line = (how: 'off' | 'on') => {
    const of = (key: keyof Round) => median(loads[how].map((load) => load[key]))
    const [rate, p50, p99, cpu] = [of('rate'), of('p50'), of('p99'), of('cpu')]
    console.log(
      `sealing ${how.padEnd(4)}${String(rate).padStart(8)} a second${String(p50).padStart(8)} ms p50${String(p99).padStart(8)} ms p99${cpu.toFixed(2).padStart(9)} ms of processor a call`,
    )
    return { rate, p99, cpu }
  }
  const [off, on] = [line('off'), line('on')]
  const ratio = (key: keyof typeof on) => (on[key] / off[key]).toFixed(3)
  console.log(
    `on / off: ${ratio('rate')} of the rate, ${ratio('p99')} of the p99, ${ratio('cpu')} of the processor`,
  )
}
