import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { createAlert, createEvaluation } from '../../../test/distribution/alerts.ts'
import { createRun, createSubscription } from '../../../test/distribution/subscriptions.ts'
import { createConnection, createReport, createWorkspace } from '../../../test/reports.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'
import { claimAlerts } from '../../distribution/alerts/alert-queue.ts'
import { claimWebhooks } from '../../distribution/alerts/send-webhooks.ts'
import { claimFiles, claimRuns } from '../../distribution/subscriptions/runs/run-queues.ts'
import { claimMails } from '../mail/mail-queue.ts'

/*
 * The kind: a claim with a limit, whose size depended on the query plan. PostgreSQL repeated the subquery
 * `for update skip locked limit n` for each row when the statistics were those of an empty table, so that
 * one process claimed all rows. Queues are usually empty when they are analysed.
 */

const app = useTestApp()
const rows = 60
const past = () => new Date(Date.now() - 60_000)

let place: { idRelatorio: number; idDono: number }
beforeEach(async () => {
  const { idPowerBi } = await createConnection(app)
  const { idGrupoRelatorio } = await createWorkspace(app, { idPowerBi })
  const { idRelatorio } = await createReport(app, { idGrupoRelatorio })
  const { idUsuario: idDono } = await createUser(app)
  place = { idRelatorio, idDono }
})

/** Inserts rows into a table that was analysed after its rows had been deleted. */
const fill = async (table: string, insert: (n: number) => Promise<unknown>) => {
  for (let n = 0; n < rows; n += 1) await insert(n)
  await sql`delete from ${sql.table(table)}`.execute(app.db)
  await sql`analyze ${sql.table(table)}`.execute(app.db)
  for (let n = 0; n < rows; n += 1) await insert(n)
}

test('a sender claims five of 60 e-mails', async () => {
  await fill('mensagem', () =>
    app.db
      .insertInto('mensagem')
      .values({ conteudo: app.services.secrets.encrypt('{}'), criadaEm: past(), proximaEm: past() })
      .execute(),
  )
  const claims = []
  for (let n = 0; n < 3; n += 1) claims.push((await claimMails(app.db, 5)).length)
  expect(claims).toEqual([5, 5, 5])
})

test('a process claims one of 60 runs of subscriptions', async () => {
  const { idAssinatura } = await createSubscription(app, place)
  await fill('assinatura_execucao', () => createRun(app, { idAssinatura, tentarEm: past() }))
  const claimed = new Set<number | undefined>()
  for (let n = 0; n < 3; n += 1) claimed.add((await claimRuns(app.db, 1))[0]?.idExecucao)
  const held = await app.db
    .selectFrom('assinaturaExecucao')
    .where('ocupadaAte', 'is not', null)
    .selectAll()
    .execute()
  expect([claimed.size, held.length]).toEqual([3, 3])
})

test('a process claims one of 60 files of a run', async () => {
  const { idAssinatura } = await createSubscription(app, place)
  const { idExecucao } = await createRun(app, { idAssinatura })
  await fill('assinatura_arquivo', (n) =>
    app.db
      .insertInto('assinaturaArquivo')
      .values({ idExecucao, alcance: String(n), tentarEm: past(), estado: 'PENDENTE' })
      .execute(),
  )
  await claimFiles(app.db)
  const held = await app.db
    .selectFrom('assinaturaArquivo')
    .where('ocupadoAte', 'is not', null)
    .selectAll()
    .execute()
  expect(held).toHaveLength(1)
})

test('a process claims twenty of 60 alerts', async () => {
  const people = [await createUser(app), await createUser(app), await createUser(app)]
  await fill('alerta', (n) =>
    createAlert(app, { ...place, idDono: people[n % 3]?.idUsuario ?? 0, proximaEm: past() }),
  )
  const claims = []
  for (let n = 0; n < 2; n += 1) claims.push((await claimAlerts(app.db)).length)
  expect(claims).toEqual([20, 20])
})

test('a process claims five of 60 webhooks', async () => {
  const { idAlerta } = await createAlert(app, place)
  await fill('alerta_envio', async () => {
    const { idAvaliacao } = await createEvaluation(app, { idAlerta })
    await app.db
      .insertInto('alertaEnvio')
      .values({
        idAvaliacao,
        canal: 'WEBHOOK',
        estado: 'NA_FILA',
        em: past(),
        tentarEm: past(),
        tentativas: 0,
      })
      .execute()
  })
  const claims = []
  for (let n = 0; n < 3; n += 1) claims.push((await claimWebhooks(app.db, 5)).length)
  expect(claims).toEqual([5, 5, 5])
})
