import { describe, expect, test } from 'vitest'
import { embeddingSuite } from '../../../test/stand-ins/embedding.ts'
import { createUser } from '../../../test/users.ts'

const { suite, publish, viewer } = embeddingSuite()

const start = async (fields: Parameters<typeof publish>[0] = {}) => {
  const { report, address, connection } = await publish(fields)
  const { user: person, get } = await viewer(report.idRelatorio, {
    nomeUsuario: 'Ana Martins',
    emailUsuario: 'ana@exemplo.com.br',
    identidadeRls: 'PR',
  })
  const admin = await createUser(suite.app, { tipoUsuario: 'ADMIN', nomeUsuario: 'Gestora' })
  const asAdmin = await suite.app.as(admin)
  const open = () => asAdmin.post(`/usuarios/${person.idUsuario}/ver-como`, address)
  return { report, address, connection, person, getAsPerson: get, admin, asAdmin, open }
}

const generated = () =>
  suite.provider.seen.filter(({ path }) => path.endsWith('/GenerateToken')).map(({ body }) => body)
const linesOf = (acao: string) =>
  suite.app.db.selectFrom('auditoria').selectAll().where('acao', '=', acao).execute()
const setPerson = (
  idUsuario: number,
  fields: { situacao?: 'BLOQUEADO' | 'PENDENTE'; emailPorProvar?: boolean },
) => suite.app.db.updateTable('usuario').set(fields).where('idUsuario', '=', idUsuario).execute()

describe('POST /usuarios/:idUsuario/ver-como', () => {
  test("POST /usuarios/:idUsuario/ver-como issues a token with the person's identity, and audits who, as whom and which report", async () => {
    const { report, person, admin, open } = await start({ papeisRls: ['Operadora'] })
    const { status, body } = await open()
    expect(status).toBe(200)
    expect(body).toMatchObject({ idRelatorio: report.idRelatorio, nomeRelatorio: 'Relatório', filtros: [] })
    expect(generated().join()).toContain('"username":"ana@exemplo.com.br"')
    expect(generated().join()).not.toContain(admin.emailUsuario)
    expect(await linesOf('report.viewed-as')).toMatchObject([
      {
        idUsuario: admin.idUsuario,
        objeto: `usuario:${person.idUsuario}`,
        detalhes: {
          idRelatorio: report.idRelatorio,
          nomeRelatorio: report.nomeRelatorio,
          identidade: { username: 'ana@exemplo.com.br', roles: ['Operadora'], customData: 'PR' },
        },
      },
    ])
  })

  test('POST /usuarios/:idUsuario/ver-como asks only the local service for a token that explains the row rules', async () => {
    const { open, connection } = await start({ papeisRls: ['Operadora'] })
    await open()
    expect(generated().join()).not.toContain('@biManager.explainsRules')
    await suite.app.db
      .updateTable('powerbi')
      .set({ provedor: 'local', versao: 7 })
      .where('idPowerBi', '=', connection.idPowerBi)
      .execute()
    expect((await open()).status).toBe(200)
    expect(generated().at(-1)).toContain('"@biManager.explainsRules":true')
  })

  test("POST /usuarios/:idUsuario/ver-como does not explain the rules in the person's own token", async () => {
    const { report, address, connection } = await start({ papeisRls: ['Operadora'] })
    await suite.app.db
      .updateTable('powerbi')
      .set({ provedor: 'local', versao: 7 })
      .where('idPowerBi', '=', connection.idPowerBi)
      .execute()
    const { post } = await viewer(report.idRelatorio)
    expect((await post('/usuarios/relatorio/embed', address)).status).toBe(200)
    expect(generated().join()).not.toContain('@biManager.explainsRules')
  })

  test('a view as a person counts as no view of either, is no recent report, and is shown to the person', async () => {
    const { report, asAdmin, getAsPerson, open } = await start()
    await open()
    const url = `/usuarios/relatorio/${report.idRelatorio}/visualizacao`
    const view = { carregadoMs: 1, renderizadoMs: 2 }
    expect((await asAdmin.post(url, view)).body.codigo).toBe('visualizacao_sem_abertura')
    expect(await suite.app.db.selectFrom('visualizacao').selectAll().execute()).toEqual([])
    expect(await suite.app.db.selectFrom('usoRelatorio').selectAll().execute()).toEqual([])
    expect(await linesOf('embed.issued')).toEqual([])
    const { relatoriosRecentes, eventos } = (await getAsPerson('/login/usuario-atividade')).body
    expect(relatoriosRecentes).toEqual([])
    expect(eventos.map(({ descricao }: { descricao: string }) => descricao)).toContain(
      'Gestora abriu o relatório “Relatório” com os seus acessos',
    )
  })

  test('POST /usuarios/:idUsuario/ver-como audits a token that the page renews by itself as no further opening', async () => {
    const { address, person, asAdmin, open } = await start()
    await open()
    const renewal = await asAdmin.post(`/usuarios/${person.idUsuario}/ver-como`, address, {
      'x-segundo-plano': '1',
    })
    expect(renewal.status).toBe(200)
    expect(await linesOf('report.viewed-as')).toHaveLength(1)
    expect(await linesOf('report.view-as-renewed')).toMatchObject([
      { detalhes: { tokenId: expect.any(String) } },
    ])
  })

  test.each([
    ['a blocked person', { situacao: 'BLOQUEADO' as const }, /^Esta pessoa está bloqueada/],
    ['a person who waits for approval', { situacao: 'PENDENTE' as const }, /aguarda aprovação/],
    ['a person without a proven e-mail', { emailPorProvar: true }, /e-mail desta pessoa não está confirmado/],
  ])('POST /usuarios/:idUsuario/ver-como refuses %s, and says why', async (_, fields, sentence) => {
    const { person, open } = await start({ papeisRls: ['Operadora'] })
    await setPerson(person.idUsuario, fields)
    const { status, body } = await open()
    expect([status, body.codigo]).toEqual([409, 'ver_como_indisponivel'])
    expect(body.detail).toMatch(sentence)
    expect(generated()).toEqual([])
  })

  test('POST /usuarios/:idUsuario/ver-como refuses a report that the person does not see, although the ADMIN does', async () => {
    const { person, asAdmin } = await start()
    const other = await publish()
    const { status, body } = await asAdmin.post(`/usuarios/${person.idUsuario}/ver-como`, other.address)
    expect([status, body.detail]).toEqual([409, 'Este relatório não está liberado para esta pessoa.'])
    expect((await asAdmin.post('/usuarios/999999/ver-como', other.address)).status).toBe(404)
  })

  test('POST /usuarios/:idUsuario/ver-como is refused to a USER, and to an ADMIN without a recent proof of identity', async () => {
    const { person, address, open } = await start()
    const user = await suite.app.as(await createUser(suite.app))
    expect((await user.post(`/usuarios/${person.idUsuario}/ver-como`, address)).status).toBe(403)
    suite.app.clock.offsetMs = 11 * 60_000
    expect((await open()).body.codigo).toBe('reautenticacao_necessaria')
    expect(await linesOf('report.viewed-as')).toEqual([])
  })

  test('POST /usuarios/:idUsuario/ver-como returns no token when the person loses the report while the provider answers', async () => {
    const { person, open } = await start()
    const held = suite.provider.hold('generateToken')
    const opening = open()
    const release = await held
    await suite.app.db.deleteFrom('relatorioUsuario').where('idUsuario', '=', person.idUsuario).execute()
    release()
    const { status, body } = await opening
    expect([status, body.codigo]).toEqual([409, 'ver_como_indisponivel'])
    expect(await linesOf('report.viewed-as')).toEqual([])
  })

  test.each([
    ['is blocked', 401, { situacao: 'BLOQUEADO' as const }],
    ['is no longer an ADMIN', 403, { tipoUsuario: 'USER' as const }],
  ])(
    'POST /usuarios/:idUsuario/ver-como refuses the token when the caller %s while the provider answers',
    async (_, status, fields) => {
      const { admin, open } = await start()
      const held = suite.provider.hold('generateToken')
      const opening = open()
      const release = await held
      await suite.app.db.updateTable('usuario').set(fields).where('idUsuario', '=', admin.idUsuario).execute()
      release()
      expect((await opening).status).toBe(status)
      expect(await linesOf('report.viewed-as')).toEqual([])
    },
  )
})
