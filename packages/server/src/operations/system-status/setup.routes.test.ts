import { setupSteps } from '@bi-manager/contract'
import { expect, test } from 'vitest'
import { createConnection, createReport, createWorkspace, grantReport } from '../../../test/reports.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'

const app = useTestApp({ SMTP_URL: 'smtp://correio.exemplo:25' })
const folderApp = useTestApp()

const path = '/sistema/primeiros-passos'
const as = async (admin: Awaited<ReturnType<typeof createUser>>, { as: enter } = app) => {
  const { get } = await enter(admin)
  return async () => {
    const { status, body } = await get(path)
    expect([status, body.map(({ passo }: { passo: string }) => passo)]).toEqual([200, setupSteps])
    return body.flatMap(({ passo, feito }: { passo: string; feito: boolean }) => (feito ? [passo] : []))
  }
}
const deliver = ({ db } = app) =>
  db
    .insertInto('correio')
    .values({ entregueEm: new Date(), falhandoDesde: null, codigo: null, motivo: null })
    .execute()

test('the setup lists the steps in order, each done once its record exists', async () => {
  const admin = await createUser(app, { tipoUsuario: 'ADMIN', trocarSenha: 'pedida' })
  const { idUsuario } = admin
  const done = await as(admin)
  expect(await done()).toEqual([])
  const expected: string[] = []
  const step = async <T>(passo: string, work: () => Promise<T>): Promise<T> => {
    const made = await work()
    expected.push(passo)
    expect(await done()).toEqual(setupSteps.filter((name) => expected.includes(name)))
    return made
  }
  await step('senha', () =>
    app.db.updateTable('usuario').set({ trocarSenha: null }).where('idUsuario', '=', idUsuario).execute(),
  )
  const { idPowerBi, versao } = await step('conexao', () => createConnection(app))
  const tested = { idPowerBi, versao, em: new Date(), detalhe: '' }
  await app.db
    .insertInto('testeConexao')
    .values({ ...tested, resultado: 'falha' })
    .execute()
  expect(await done()).toEqual(expected)
  await step('teste', () => app.db.updateTable('testeConexao').set({ resultado: 'ok' }).execute())
  const { idGrupoRelatorio } = await step('workspace', () => createWorkspace(app, { idPowerBi }))
  const { idRelatorio } = await step('relatorio', () => createReport(app, { idGrupoRelatorio }))
  const reader = await step('pessoa', () => createUser(app))
  await step('permissao', () => grantReport(app, reader.idUsuario, idRelatorio))
  await step('email', () => deliver())
  const backup = { iniciadaEm: new Date(), ativaEm: new Date(), destino: 'pasta' }
  await step('copia', () =>
    app.db
      .insertInto('copiaSeguranca')
      .values({ ...backup, terminadaEm: new Date(), resultado: 'boa' })
      .execute(),
  )
})

test('a connection edited since its test must be tested again', async () => {
  const done = await as(await createUser(app, { tipoUsuario: 'ADMIN' }))
  const { idPowerBi, versao } = await createConnection(app)
  const tested = { idPowerBi, versao, em: new Date(), detalhe: '', resultado: 'ok' as const }
  await app.db.insertInto('testeConexao').values(tested).execute()
  expect(await done()).toContain('teste')
  await app.db
    .updateTable('powerbi')
    .set({ versao: versao + 1 })
    .execute()
  expect(await done()).not.toContain('teste')
})

test('the local service offers a publication for the workspace and the report', async () => {
  const { get } = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
  const published = async () =>
    (await get(path)).body.flatMap(({ passo, porPublicacao }: { passo: string; porPublicacao: boolean }) =>
      porPublicacao ? [passo] : [],
    )
  await createConnection(app)
  expect(await published()).toEqual([])
  await createConnection(app, { nome: 'Serviço local', provedor: 'local' })
  expect(await published()).toEqual(['workspace', 'relatorio'])
})

test('the setup mails in the outbox folder do not count as a mail server', async () => {
  const done = await as(await createUser(folderApp, { tipoUsuario: 'ADMIN' }), folderApp)
  await deliver(folderApp)
  expect(await done()).not.toContain('email')
})
