import { describe, expect, test } from 'vitest'
import { moveClockTo } from '../../../test/let-time-pass.ts'
import { createReport } from '../../../test/reports.ts'
import { embeddingSuite } from '../../../test/stand-ins/embedding.ts'
import { datasetId, draftId, reportId } from '../../../test/stand-ins/provider-stand-in.ts'
import { createUser } from '../../../test/users.ts'
import { createRefreshHistories } from '../../connections/power-bi/refresh-histories.ts'
import { notify } from '../../platform/notifications/notify.ts'
import { watchRefreshes } from './refresh-watch.job.ts'

const { suite, publish } = embeddingSuite()

const minute = 60_000
const silent = { error: (problem: unknown) => expect.fail(String(problem)), info: () => {} }

/** One run of a node: each has its own memory of histories. */
const run = () => {
  const { services } = suite.app
  const refreshHistories = createRefreshHistories({ api: services.powerBi, now: services.now })
  return watchRefreshes({ ...services, refreshHistories }, silent)
}

const entry = (status: string, minutesAgo: number, errorCode?: string) => {
  const endTime = new Date(Date.now() + suite.app.clock.offsetMs - minutesAgo * minute).toISOString()
  const exception = errorCode && { serviceExceptionJson: JSON.stringify({ errorCode }) }
  return { refreshType: 'Scheduled', startTime: endTime, endTime, status, ...exception }
}
let history: object[] = []
const answer = (...entries: object[]) => {
  history = entries
  suite.provider.answer('refreshes', () => ({ body: { value: history } }))
}
const reads = () => suite.provider.seen.filter(({ path }) => path.includes('/refreshes')).length

const lookUps = () => suite.provider.seen.filter(({ path }) => /\/reports\/[^/]+$/.test(path)).length

const begin = async () => {
  const { connection, report, workspace } = await publish({ nomeRelatorio: 'Custos' })
  const people = [
    await createUser(suite.app, { tipoUsuario: 'ADMIN' }),
    await createUser(suite.app, { tipoUsuario: 'ADMIN' }),
    await createUser(suite.app),
  ]
  const notified = () =>
    suite.app.db
      .selectFrom('notificacao')
      .select(['idUsuario', 'tipo', 'titulo', 'texto', 'rota'])
      .where('titulo', 'like', 'Falhou%')
      .where(
        'idUsuario',
        'in',
        people.map(({ idUsuario }) => idUsuario),
      )
      .orderBy('idNotificacao')
      .execute()
  return { connection, report, workspace, people, notified }
}

describe('a failed refresh', () => {
  test('a failed refresh is notified to each ADMIN once, with the cause', async () => {
    const { report, people, notified } = await begin()
    answer(entry('Failed', 3, 'DM_GWPipeline_Client_GatewayUnreachable'), entry('Completed', 60))
    await run()
    await run()
    await moveClockTo(suite.app, 20 * minute)
    await run()
    expect(reads()).toBe(2)
    const [first, second] = people
    const lines = await notified()
    expect(lines.map(({ idUsuario }) => idUsuario).sort()).toEqual(
      [first?.idUsuario, second?.idUsuario].sort(),
    )
    expect(lines[0]).toMatchObject({
      tipo: 'sistema_com_problema',
      titulo: 'Falhou a atualização dos dados de “Custos”',
      texto: expect.stringMatching(
        /^Terminou em \d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d\. O gateway .* \(Código: DM_GWPipeline_Client_GatewayUnreachable\.\)$/,
      ),
      rota: `/RegisterworkspaceRelatorios/${report.idRelatorio}`,
    })
  })

  test('a failed refresh is not notified again after it was read', async () => {
    const { notified } = await begin()
    answer(entry('Failed', 3))
    await run()
    await suite.app.db.updateTable('notificacao').set({ lidaEm: new Date() }).execute()
    await moveClockTo(suite.app, 20 * minute)
    await run()
    expect(await notified()).toHaveLength(2)
  })

  test('a failed refresh is notified by one of several nodes that run at once', async () => {
    const { notified } = await begin()
    // The datasets are found first, so that all nodes read them at the same moment.
    answer()
    await run()
    await moveClockTo(suite.app, 20 * minute)
    answer(entry('Failed', 3))
    await Promise.all([run(), run(), run()])
    expect(await notified()).toHaveLength(2)
    expect(reads()).toBe(2)
  })

  test('a failed refresh is notified for each of several failures between two runs, and for each next one', async () => {
    const { notified } = await begin()
    answer(entry('Completed', 3))
    await run()
    await moveClockTo(suite.app, 40 * minute)
    answer(entry('Failed', 1), entry('Failed', 20), ...history)
    await run()
    expect(await notified()).toHaveLength(4)
    await moveClockTo(suite.app, 60 * minute)
    answer(entry('Failed', 2), ...history)
    await run()
    expect(await notified()).toHaveLength(6)
  })

  test('a failed refresh is not notified when it is older than the first run, or than a day', async () => {
    const { notified } = await begin()
    answer(entry('Failed', 16))
    await run()
    await moveClockTo(suite.app, 26 * 60 * minute)
    answer(entry('Failed', 25 * 60), ...history)
    await run()
    expect(await notified()).toEqual([])
  })

  test('a failed refresh is notified once for several reports of one dataset', async () => {
    const { workspace, notified } = await begin()
    const { idGrupoRelatorio } = workspace
    await createReport(suite.app, { idGrupoRelatorio, nomeRelatorio: 'Absenteísmo' })
    answer(entry('Failed', 3))
    await run()
    expect((await notified()).map(({ titulo }) => titulo)).toEqual(
      Array(2).fill('Falhou a atualização dos dados de “Absenteísmo” e de mais 1'),
    )
    expect(reads()).toBe(1)
  })
})

describe('a completed refresh', () => {
  const unread = () =>
    suite.app.db
      .selectFrom('notificacao')
      .select('titulo')
      .where('titulo', 'like', 'Falhou%')
      .where('lidaEm', 'is', null)
      .execute()

  test('a completed refresh marks the notifications of earlier failures as read', async () => {
    await begin()
    answer(entry('Failed', 3), entry('Failed', 9))
    await run()
    expect(await unread()).toHaveLength(4)
    await moveClockTo(suite.app, 20 * minute)
    answer(entry('Unknown', 1), entry('Completed', 5), ...history)
    await run()
    expect(await unread()).toEqual([])
  })

  test('a completed refresh keeps those of a failure after it, and those of other datasets', async () => {
    const { connection } = await begin()
    await notify(
      suite.app.db,
      {
        audience: 'administradores',
        kind: 'sistema_com_problema',
        subject: `atualizacao:${connection.idPowerBi}:${crypto.randomUUID()}:x`,
        bell: { titulo: 'Falhou outra', texto: 't' },
      },
      new Date(),
    )
    answer(entry('Completed', 3))
    await run()
    expect(await unread()).toHaveLength(2)
    await moveClockTo(suite.app, 20 * minute)
    answer(entry('Failed', 1), entry('Completed', 3))
    await run()
    expect(await unread()).toHaveLength(4)
  })
})

describe('a refresh in progress', () => {
  const running = (hoursAgo: number) => {
    const startTime = new Date(Date.now() - hoursAgo * 60 * minute).toISOString()
    return { refreshType: 'ViaApi', startTime, status: 'Unknown' }
  }

  test('a refresh in progress is read in each run until it ends', async () => {
    await begin()
    answer(running(0))
    await run()
    answer(entry('Completed', 0))
    await run()
    await run()
    expect(reads()).toBe(2)
  })

  test('a refresh in progress is read as rarely as others when its end is missing for hours', async () => {
    await begin()
    answer(running(7))
    await run()
    await run()
    expect(reads()).toBe(1)
  })

  test('a refresh in progress that the portal asked for is read in the next run', async () => {
    const { report, people } = await begin()
    answer(entry('Completed', 60))
    await run()
    suite.provider.restore()
    const [person] = people
    const admin = await suite.app.as(person as NonNullable<typeof person>)
    const path = `/usuarios/relatorio/${report.idRelatorio}/dados/atualizacoes`
    expect((await admin.post(path)).status).toBe(204)
    answer(entry('Completed', 0), ...history)
    await run()
    const { concluidaEm } = await suite.app.db
      .selectFrom('leituraAtualizacoes')
      .select('concluidaEm')
      .executeTakeFirstOrThrow()
    expect(concluidaEm?.toISOString()).toBe((history[0] as { endTime: string }).endTime)
  })
})

test('data that the portal replaces is read in the next run, whatever a node has read before', async () => {
  const { connection, people } = await begin()
  await suite.app.db
    .updateTable('powerbi')
    .set({ provedor: 'local' })
    .where('idPowerBi', '=', connection.idPowerBi)
    .execute()
  const { services } = suite.app
  const refreshHistories = createRefreshHistories({ api: services.powerBi, now: services.now })
  const runHere = () => watchRefreshes({ ...services, refreshHistories }, silent)
  answer(entry('Completed', 60))
  await runHere()
  const [person] = people
  const admin = await suite.app.as(person as NonNullable<typeof person>)
  const replacement = { rascunho: draftId, tabela: 'Custos' }
  const replaced = await admin.post(`/publicacoes/relatorios/${reportId}/dados`, replacement)
  expect([replaced.status, replaced.body.erros]).toEqual([200, []])
  answer(entry('Completed', 0), ...history)
  suite.app.clock.offsetMs += minute / 2
  await runHere()
  const { concluidaEm } = await suite.app.db
    .selectFrom('leituraAtualizacoes')
    .select('concluidaEm')
    .executeTakeFirstOrThrow()
  expect(concluidaEm?.toISOString()).toBe((history[0] as { endTime: string }).endTime)
})

test('several nodes that run at once look up a dataset once', async () => {
  const { notified } = await begin()
  answer(entry('Failed', 3))
  const proceed = suite.provider.hold('report')
  const running = [run(), run(), run()]
  ;(await proceed)()
  await Promise.all(running)
  expect(lookUps()).toBe(1)
  expect(await notified()).toHaveLength(2)
})

test('a known dataset is read although a later look-up fails', async () => {
  await begin()
  answer()
  await run()
  await moveClockTo(suite.app, 25 * 60 * minute)
  suite.provider.answer('report', () => ({ status: 503, body: '' }))
  await run()
  expect([lookUps(), reads()]).toEqual([2, 2])
})

test('a dataset is looked up once a day, and one that cannot be read is tried again', async () => {
  const { notified } = await begin()
  suite.provider.answer('report', () => ({ status: 403, body: '' }))
  await run()
  await run()
  expect([lookUps(), reads()]).toEqual([1, 0])
  suite.provider.restore()
  await moveClockTo(suite.app, 61 * minute)
  suite.provider.answer('refreshes', () => ({ status: 403, body: '' }))
  await run()
  expect([lookUps(), reads()]).toEqual([1, 1])
  await moveClockTo(suite.app, 80 * minute)
  answer(entry('Failed', 1))
  await run()
  expect([lookUps(), reads()]).toEqual([1, 2])
  expect(await notified()).toHaveLength(2)
  const path = suite.provider.seen.findLast(({ path }) => path.includes('/refreshes'))?.path
  expect(path).toContain(`/datasets/${datasetId}/refreshes`)
})

test('a report that gets another id at the provider is looked up again', async () => {
  const { report } = await begin()
  await run()
  await suite.app.db
    .updateTable('relatorio')
    .set({ reportId: crypto.randomUUID() })
    .where('idRelatorio', '=', report.idRelatorio)
    .execute()
  await run()
  expect(lookUps()).toBe(2)
})
