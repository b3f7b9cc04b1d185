import { expect, test } from 'vitest'
import { createConnection, createReport, createWorkspace } from '../../../test/reports.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'

const app = useTestApp()

const start = async () => {
  const { idPowerBi } = await createConnection(app)
  const { idGrupoRelatorio } = await createWorkspace(app, { idPowerBi })
  const { idRelatorio } = await createReport(app, { idGrupoRelatorio })
  const admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
  const ask = (query = '') => admin.get(`/usuarios/relatorio/${idRelatorio}/desempenho${query}`)
  return { idRelatorio, idGrupoRelatorio, ask, admin }
}

const view = (idRelatorio: number, quando: Date, [carregadoMs, renderizadoMs]: [number, number], who = 1) =>
  app.db
    .insertInto('visualizacao')
    .values({ idRelatorio, idUsuario: who, quando, carregadoMs, renderizadoMs })
    .execute()

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)
const dayOf = (instant: Date) => instant.toLocaleDateString('sv-SE', { timeZone: 'America/Sao_Paulo' })

test('GET /usuarios/relatorio/:id/desempenho returns percentiles and counts, per day and in total', async () => {
  const { idRelatorio, idGrupoRelatorio, ask } = await start()
  const [today, before] = [daysAgo(0), daysAgo(3)]
  for (const ms of [100, 200, 300, 400, 500]) await view(idRelatorio, before, [ms, ms * 2], 7)
  await view(idRelatorio, today, [1000, 3000], 8)
  await view(idRelatorio, daysAgo(40), [9, 9])
  const other = await createReport(app, { idGrupoRelatorio })
  await view(other.idRelatorio, today, [1, 1])
  const { status, body } = await ask('?dias=7')
  expect(status).toBe(200)
  expect(body).toEqual({
    de: dayOf(daysAgo(6)),
    ate: dayOf(today),
    total: {
      visualizacoes: 6,
      pessoas: 2,
      carregado: { p50: 350, p95: 875 },
      renderizado: { p50: 700, p95: 2500 },
    },
    porDia: [
      {
        dia: dayOf(before),
        visualizacoes: 5,
        pessoas: 1,
        carregado: { p50: 300, p95: 480 },
        renderizado: { p50: 600, p95: 960 },
      },
      {
        dia: dayOf(today),
        visualizacoes: 1,
        pessoas: 1,
        carregado: { p50: 1000, p95: 1000 },
        renderizado: { p50: 3000, p95: 3000 },
      },
    ],
  })
  expect((await ask('?dias=90')).body.total.visualizacoes).toBe(7)
})

test('a day begins at midnight in São Paulo', async () => {
  const { idRelatorio, ask } = await start()
  const { de } = (await ask('?dias=30')).body
  const midnight = new Date(`${de}T03:00:00Z`)
  await view(idRelatorio, new Date(midnight.getTime() - 1), [1, 1])
  await view(idRelatorio, midnight, [2, 2])
  const { total, porDia } = (await ask()).body
  expect([total.visualizacoes, porDia.map(({ dia }: { dia: string }) => dia)]).toEqual([1, [de]])
})

test('the report performance returns no total without views, and refuses another period and an unknown report', async () => {
  const { ask, admin } = await start()
  expect((await ask()).body).toMatchObject({ total: null, porDia: [] })
  expect((await ask('?dias=8')).status).toBe(422)
  expect((await admin.get('/usuarios/relatorio/999999/desempenho')).status).toBe(404)
})
