import { beforeEach, expect, test } from 'vitest'
import { mailsOf } from '../../../test/mails.ts'
import { createConnection, createReport, createWorkspace, grantReport } from '../../../test/reports.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'
import { inTransaction } from '../../platform/db/transactions/in-transaction.ts'
import { notifyOfEnds } from './expiry-notices.job.ts'

const app = useTestApp()
let idGrupoRelatorio: number
beforeEach(async () => {
  const { idPowerBi } = await createConnection(app)
  idGrupoRelatorio = (await createWorkspace(app, { idPowerBi })).idGrupoRelatorio
})

const tell = () => inTransaction(app.db, (tx) => notifyOfEnds(tx, app.services))
const inDays = (days: number) => new Date(Date.now() + days * 24 * 3_600_000)
const bellOf = ({ idUsuario }: { idUsuario: number }) =>
  app.db
    .selectFrom('notificacao')
    .select(['titulo', 'texto'])
    .where('idUsuario', '=', idUsuario)
    .where('lidaEm', 'is', null)
    .execute()
const mailsTo = async ({ emailUsuario }: { emailUsuario: string }) =>
  (await mailsOf(app)).filter(({ para }) => para === emailUsuario).map(({ mail }) => mail)
const dated = async (person: { idUsuario: number }, nomeRelatorio: string, venceEm: Date | null) => {
  const report = await createReport(app, { idGrupoRelatorio, nomeRelatorio })
  await grantReport(app, person.idUsuario, report.idRelatorio)
  await app.db
    .updateTable('relatorioUsuario')
    .set({ venceEm })
    .where('idRelatorio', '=', report.idRelatorio)
    .execute()
  return report
}

test('an account that ends within seven days is told once to its person and to the ADMINs', async () => {
  const admin = await createUser(app, { tipoUsuario: 'ADMIN' })
  const ana = await createUser(app, { nomeUsuario: 'Ana Prado', venceEm: inDays(6) })
  await createUser(app, { venceEm: inDays(9) })
  await createUser(app, { venceEm: inDays(-1) })
  await createUser(app, { venceEm: inDays(3), situacao: 'BLOQUEADO' })
  await tell()
  await tell()
  expect(await bellOf(ana)).toMatchObject([{ titulo: 'Sua conta vence em breve' }])
  expect(await mailsTo(ana)).toMatchObject([{ modelo: 'acesso_vence', titulo: 'Sua conta vence em breve' }])
  expect(await bellOf(admin)).toEqual([
    {
      titulo: 'Uma conta vence em breve',
      texto: expect.stringMatching(/7 dias: Ana Prado \(\d\d\/\d\d\/\d{4}\)\.$/),
    },
  ])

  // One unread notification of the ADMINs names all of them.
  await createUser(app, { nomeUsuario: 'Beto Lima', venceEm: inDays(2) })
  await tell()
  expect(await bellOf(admin)).toEqual([
    { titulo: '2 contas vencem em breve', texto: expect.stringMatching(/Beto Lima.* e Ana Prado/) },
  ])
  expect(await mailsTo(admin)).toEqual([])

  await app.db
    .updateTable('usuario')
    .set({ venceEm: inDays(5) })
    .where('idUsuario', '=', ana.idUsuario)
    .execute()
  await tell()
  expect(await mailsTo(ana)).toHaveLength(2)
})

test('grants that end within seven days are told together, unless a profile has the report too', async () => {
  const ana = await createUser(app)
  const unproven = await createUser(app, { emailPorProvar: true })
  await dated(ana, 'Custos', inDays(2))
  await dated(ana, 'Sinistros', inDays(4))
  await dated(ana, 'Distante', inDays(20))
  await dated(ana, 'Sem fim', null)
  const shared = await dated(ana, 'Do perfil', inDays(3))
  const { idPerfil } = await app.db
    .insertInto('perfil')
    .values({ nomePerfil: 'Diretoria' })
    .returning('idPerfil')
    .executeTakeFirstOrThrow()
  await app.db.insertInto('perfilUsuario').values({ idPerfil, idUsuario: ana.idUsuario }).execute()
  await app.db.insertInto('perfilRelatorio').values({ idPerfil, idRelatorio: shared.idRelatorio }).execute()
  await dated(unproven, 'Outro', inDays(2))
  await tell()
  await tell()
  const [told, ...more] = await bellOf(ana)
  expect(more).toEqual([])
  expect(told?.texto).toMatch(/“Custos” \([\d/]+\) e “Sinistros” \([\d/]+\)\. Se/)
  expect(await mailsTo(ana)).toMatchObject([
    { modelo: 'acesso_vence', titulo: 'Seu acesso a relatórios vence' },
  ])
  expect(await bellOf(unproven)).toHaveLength(1)
  expect(await mailsTo(unproven)).toEqual([])
})

test('a notice names the reports of memberships that end within seven days, unless another access lasts longer', async () => {
  const ana = await createUser(app)
  const admin = await createUser(app, { tipoUsuario: 'ADMIN' })
  const join = async (nomePerfil: string, reports: { idRelatorio: number }[], venceEm: Date | null) => {
    const { idPerfil } = await app.db
      .insertInto('perfil')
      .values({ nomePerfil })
      .returning('idPerfil')
      .executeTakeFirstOrThrow()
    for (const { idUsuario } of [ana, admin])
      await app.db.insertInto('perfilUsuario').values({ idPerfil, idUsuario, venceEm }).execute()
    for (const { idRelatorio } of reports)
      await app.db.insertInto('perfilRelatorio').values({ idPerfil, idRelatorio }).execute()
  }
  const named = (nomeRelatorio: string) => createReport(app, { idGrupoRelatorio, nomeRelatorio })
  const both = await named('Nos dois')
  const [ends, endsLater] = [inDays(2), inDays(5)]
  const direct = await dated(ana, 'Direto depois', inDays(20))
  const last = await dated(ana, 'Direto antes', inDays(1))
  await join('Vence', [await named('Custos'), both, direct, last], ends)
  await join('Vence depois', [both], endsLater)
  await join('Sem prazo', [await named('Outro')], null)
  await tell()
  await tell()
  const day = (date: Date) => date.toLocaleDateString('pt-BR', { timeZone: 'America/Sao_Paulo' })
  const [told, ...more] = await bellOf(ana)
  expect(more).toEqual([])
  expect(told?.texto).toContain(
    `Últimos dias de acesso: “Custos” (${day(ends)}), “Direto antes” (${day(ends)}) e “Nos dois” (${day(endsLater)}).`,
  )
  expect(await mailsTo(ana)).toHaveLength(1)
  expect(await bellOf(admin)).toEqual([])
})
