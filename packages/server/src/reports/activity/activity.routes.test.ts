import { describe, expect, test } from 'vitest'
import { createConnection, createReport, createWorkspace, grantReport } from '../../../test/reports.ts'
import type { TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'

const app = useTestApp()

const minutes = 60_000
const url = '/login/usuario-atividade'

test("the last sign-in is the one before the current session's", async () => {
  const user = await createUser(app)
  const first = await app.as(user)
  expect((await first.get(url)).body.ultimoAcesso).toBeNull()
  app.clock.offsetMs = 30 * minutes
  const second = await app.as(user)
  const { ultimoAcesso } = (await second.get(url)).body
  expect(Math.abs(Date.parse(ultimoAcesso) - Date.now())).toBeLessThan(60_000)
  expect((await first.get(url)).body.ultimoAcesso).toBeNull()
})

describe('recent reports', () => {
  const look = async (idUsuario: number, idRelatorio: number, minutesAgo: number) => {
    const quando = new Date(Date.now() - minutesAgo * minutes)
    await app.db
      .insertInto('visualizacao')
      .values({ quando, idUsuario, idRelatorio, carregadoMs: 1, renderizadoMs: 1 })
      .execute()
  }
  const createReports = async (count: number) => {
    const { idPowerBi } = await createConnection(app)
    const { idGrupoRelatorio, idGrupo } = await createWorkspace(app, { idPowerBi, nomeGrupo: 'Vendas' })
    const reports = []
    for (let at = 1; at <= count; at += 1) {
      reports.push(await createReport(app, { idGrupoRelatorio, nomeRelatorio: `Relatório ${at}` }))
    }
    return { reports, idGrupo }
  }
  const namesFor = async (session: Awaited<ReturnType<TestApp['as']>>): Promise<string[]> =>
    (await session.get(url)).body.relatoriosRecentes.map(
      (one: { nomeRelatorio: string }) => one.nomeRelatorio,
    )

  test('recent reports are listed once each, last opened first, at most eight, with the fields that a link needs', async () => {
    const user = await createUser(app)
    const { reports, idGrupo } = await createReports(10)
    for (const [at, { idRelatorio }] of reports.entries()) {
      await grantReport(app, user.idUsuario, idRelatorio)
      await look(user.idUsuario, idRelatorio, 100 - at)
      await look(user.idUsuario, idRelatorio, 50 - at)
    }
    const session = await app.as(user)
    expect(await namesFor(session)).toEqual([10, 9, 8, 7, 6, 5, 4, 3].map((at) => `Relatório ${at}`))
    expect((await session.get(url)).body.relatoriosRecentes[0]).toEqual({
      idRelatorio: reports[9]?.idRelatorio,
      nomeRelatorio: 'Relatório 10',
      nomeGrupo: 'Vendas',
      groupId: idGrupo,
      reportId: reports[9]?.reportId,
      data: expect.any(String),
    })
  })

  test("recent reports are only those that the user may still see, and no other user's", async () => {
    const [user, other] = [await createUser(app), await createUser(app)]
    const { reports } = await createReports(3)
    const [kept, lost, foreign] = reports.map(({ idRelatorio }) => idRelatorio) as [number, number, number]
    await grantReport(app, user.idUsuario, kept)
    await grantReport(app, user.idUsuario, foreign)
    await look(user.idUsuario, kept, 3)
    await look(user.idUsuario, lost, 2)
    await look(other.idUsuario, foreign, 1)
    expect(await namesFor(await app.as(user))).toEqual(['Relatório 1'])
    await app.db.deleteFrom('relatorioUsuario').execute()
    expect(await namesFor(await app.as(user))).toEqual([])
    await app.db.updateTable('usuario').set({ tipoUsuario: 'ADMIN' }).execute()
    expect(await namesFor(await app.as(user))).toEqual(['Relatório 2', 'Relatório 1'])
  })
})

describe('account events', () => {
  const eventsFor = async (session: Awaited<ReturnType<TestApp['as']>>): Promise<[string, string][]> =>
    (await session.get(url)).body.eventos.map((one: { tipo: string; descricao: string }) => [
      one.tipo,
      one.descricao,
    ])

  test("account events are texts in Portuguese, newest first, with the address of the user's own actions", async () => {
    const user = await createUser(app)
    const admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
    await app.anonymous.post('/usuarios/authorizer', { username: user.emailUsuario, password: 'errada' })
    await app.anonymous.post('/login/recuperar-senha', { email: user.emailUsuario })
    await admin.put(`/usuarios/${user.idUsuario}`, { identidadeRls: 'CNU' })
    await admin.put(`/usuarios/${user.idUsuario}`, { senhaUsuario: 'janela aberta ao sol' })
    const session = await app.as({ ...user, password: 'janela aberta ao sol' })
    await session.put(`/usuario/mudarsenha/${user.idUsuario}`, { senha: 'cadeira verde no telhado' })
    await session.put('/conta', { nomeUsuario: 'Nome Novo' })
    await session.del('/conta/sessoes')
    expect(await eventsFor(session)).toEqual([
      ['session.revoked', 'Encerrou os acessos abertos (de 127.0.0.1)'],
      ['password.changed', 'Senha trocada (de 127.0.0.1)'],
      ['session.created', 'Entrou com senha (de 127.0.0.1)'],
      ['user.updated', 'Senha trocada por um administrador'],
      ['user.updated', 'Conta editada por um administrador'],
      ['password.recovery-asked', 'Pedido de recuperação de senha (de 127.0.0.1)'],
      ['session.refused', 'Entrada recusada: senha errada (de 127.0.0.1)'],
    ])
  })

  test("account events contain nothing about other users, nor an ADMIN's actions on other accounts", async () => {
    const [user, other] = [await createUser(app), await createUser(app)]
    const admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
    await app.as(other)
    await admin.put(`/usuarios/${other.idUsuario}`, { nomeUsuario: 'Outra' })
    expect(await eventsFor(await app.as(user))).toEqual([
      ['session.created', 'Entrou com senha (de 127.0.0.1)'],
    ])
    expect((await eventsFor(admin)).map(([kind]) => kind)).toEqual(['session.created'])
  })

  test('account events are limited to twenty', async () => {
    const user = await createUser(app)
    for (let at = 0; at < 22; at += 1) await app.as(user)
    expect(await eventsFor(await app.as(user))).toHaveLength(20)
  })
})
