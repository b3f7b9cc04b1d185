import { expect, test } from 'vitest'
import { createAlert } from '../../test/distribution/alerts.ts'
import { createSubscription } from '../../test/distribution/subscriptions.ts'
import { embeddingSuite } from '../../test/stand-ins/embedding.ts'
import { draftId, reportId } from '../../test/stand-ins/provider-stand-in.ts'
import { createUser } from '../../test/users.ts'
import { createRefreshHistories } from '../connections/power-bi/refresh-histories.ts'
import { watchRefreshes } from '../reports/freshness/refresh-watch.job.ts'
import { planRefreshedAlerts } from './alerts/alert-queue.ts'
import { beginRunsAfterRefresh } from './subscriptions/runs/begin-runs.ts'

const { suite, publish } = embeddingSuite()
const silent = { error: (problem: unknown) => expect.fail(String(problem)), info: () => {} }

test('data that the portal replaces make an alert and a subscription due in the next minute', async () => {
  const { connection, report } = await publish({ nomeRelatorio: 'Custos' })
  await suite.app.db
    .updateTable('powerbi')
    .set({ provedor: 'local' })
    .where('idPowerBi', '=', connection.idPowerBi)
    .execute()
  const { services, clock, db } = suite.app
  const admin = await createUser(suite.app, { tipoUsuario: 'ADMIN' })
  const about = {
    idRelatorio: report.idRelatorio,
    idDono: admin.idUsuario,
    frequencia: 'ATUALIZACAO' as const,
    horario: null,
    atualizadaAte: services.now(),
  }
  await createAlert(suite.app, { ...about, proximaEm: null })
  await createSubscription(suite.app, { ...about, proximaEm: null })
  const begun = async () => {
    await planRefreshedAlerts(db)
    await beginRunsAfterRefresh(db)
    const alert = await db.selectFrom('alerta').select('proximaEm').executeTakeFirstOrThrow()
    const runs = await db.selectFrom('assinaturaExecucao').select('causa').execute()
    return [alert.proximaEm !== null, runs]
  }
  const answer = (...ends: number[]) =>
    suite.provider.answer('refreshes', () => ({
      body: {
        value: ends.map((end) => {
          const endTime = new Date(end).toISOString()
          return { refreshType: 'Scheduled', startTime: endTime, endTime, status: 'Completed' }
        }),
      },
    }))
  const refreshHistories = createRefreshHistories({ api: services.powerBi, now: services.now })
  const watch = () => watchRefreshes({ ...services, refreshHistories }, silent)
  const before = services.now().getTime() - 3_600_000
  answer(before)
  await watch()
  expect(await begun()).toEqual([false, []])
  const session = await suite.app.as(admin)
  const replaced = await session.post(`/publicacoes/relatorios/${reportId}/dados`, {
    rascunho: draftId,
    tabela: 'Custos',
  })
  expect([replaced.status, replaced.body.erros]).toEqual([200, []])
  answer(services.now().getTime(), before)
  clock.offsetMs += 30_000
  await watch()
  expect(await begun()).toEqual([true, [{ causa: 'ATUALIZACAO' }]])
  expect(await begun()).toEqual([true, [{ causa: 'ATUALIZACAO' }]])
})
