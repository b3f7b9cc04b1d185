import { describe, expect, test } from 'vitest'
import { createGuest, openedVisit } from '../../../test/distribution/guests.ts'
import { embeddingSuite } from '../../../test/stand-ins/embedding.ts'
import { createUser } from '../../../test/users.ts'

const { suite, publish } = embeddingSuite()

const start = async (
  report: Parameters<typeof publish>[0] = {},
  fields: Partial<Parameters<typeof createGuest>[1]> = {},
) => {
  const published = await publish({ nomeRelatorio: 'Sinistralidade', operadoraRelatorio: 'CNU', ...report })
  const admin = await createUser(suite.app, { tipoUsuario: 'ADMIN', emailUsuario: 'gestora@exemplo.com.br' })
  const guest = await createGuest(suite.app, {
    idRelatorio: published.report.idRelatorio,
    convidadoPor: admin.idUsuario,
    ...fields,
  })
  const credential = await openedVisit(suite.app, guest)
  const visit = suite.app.withHeaders({ authorization: `Bearer ${credential}` })
  return { ...published, guest, visit, open: () => visit.post('/visita/relatorio') }
}

const generated = () =>
  suite.provider.seen
    .filter(({ path }) => path.endsWith('/GenerateToken'))
    .map(({ body }) => JSON.parse(body ?? ''))
const linesOf = (acao: string) =>
  suite.app.db.selectFrom('auditoria').selectAll().where('acao', '=', acao).execute()

describe('POST /visita/relatorio', () => {
  test('POST /visita/relatorio issues a token of 15 minutes for the report of the invitation, and audits it as the guest', async () => {
    const { report, guest, open } = await start()
    const { status, body } = await open()
    expect(status).toBe(200)
    expect(Object.keys(body).sort()).toEqual([
      'embedToken',
      'embedUrl',
      'expiration',
      'filtros',
      'nomeRelatorio',
      'reportId',
    ])
    expect(body).toMatchObject({ reportId: report.reportId, nomeRelatorio: 'Sinistralidade' })
    expect(generated()).toMatchObject([
      { reports: [{ id: report.reportId, allowEdit: false }], lifetimeInMinutes: 15 },
    ])
    expect(await linesOf('guest.embed-issued')).toMatchObject([
      {
        idUsuario: null,
        objeto: `convidado:${guest.idConvidado}`,
        detalhes: { idRelatorio: report.idRelatorio, identidade: null },
      },
    ])
  })

  test('POST /visita/relatorio carries the identity of the invitation, never that of the ADMIN or the address of the guest', async () => {
    const { open, guest } = await start(
      { papeisRls: ['Operadora'] },
      { usuarioIdentidade: 'auditoria', identidadeRls: 'PR' },
    )
    expect((await open()).status).toBe(200)
    const [sent] = generated()
    expect(sent.identities).toMatchObject([{ username: 'auditoria', roles: ['Operadora'], customData: 'PR' }])
    expect(JSON.stringify(sent)).not.toContain('gestora@exemplo.com.br')
    expect(JSON.stringify(sent)).not.toContain(guest.emailConvidado)
  })

  test('POST /visita/relatorio does not share the longer token of a user', async () => {
    const { address, open } = await start()
    const admin = await suite.app.as(await createUser(suite.app, { tipoUsuario: 'ADMIN' }))
    expect((await admin.post('/usuarios/relatorio/embed', address)).status).toBe(200)
    await open()
    await open()
    expect(generated().map((one) => one.lifetimeInMinutes)).toEqual([undefined, 15, 15])
  })

  test('POST /visita/relatorio does not outlive the visit', async () => {
    const { open } = await start()
    const inMinutes = (minutes: number) =>
      suite.app.db
        .updateTable('convidadoVisita')
        .set({ expiraEm: new Date(suite.app.services.now().getTime() + minutes * 60_000 + 20_000) })
        .execute()
    await inMinutes(6)
    expect((await open()).status).toBe(200)
    await inMinutes(0)
    const { status, body } = await open()
    expect([status, body.codigo]).toEqual([401, 'visita_encerrada'])
    expect(generated()).toMatchObject([{ lifetimeInMinutes: 6 }])
  })

  test('POST /visita/relatorio counts no view and no usage', async () => {
    const { open } = await start()
    await open()
    for (const table of ['visualizacao', 'usoRelatorio', 'usoPessoa'] as const) {
      expect(await suite.app.db.selectFrom(table).selectAll().execute(), table).toEqual([])
    }
    expect(await linesOf('embed.issued')).toEqual([])
  })

  test.each([
    ['is revoked', () => set({ revogadoEm: new Date() }), 401],
    ['is left', () => suite.app.db.deleteFrom('convidadoVisita').execute(), 401],
    ['gets another identity', () => set({ usuarioIdentidade: 'x' }), 503],
    [
      'loses its ADMIN',
      () => suite.app.db.updateTable('usuario').set({ situacao: 'BLOQUEADO' }).execute(),
      401,
    ],
  ])(
    'POST /visita/relatorio returns no token when the guest %s while the provider answers',
    async (_, change, expected) => {
      const { open } = await start({ enviaIdentidade: true }, { usuarioIdentidade: 'auditoria' })
      const held = suite.provider.hold('generateToken')
      const opening = open()
      const release = await held
      await change()
      release()
      const { status, body } = await opening
      expect(status).toBe(expected)
      expect(body).not.toHaveProperty('embedToken')
      expect(await linesOf('guest.embed-issued')).toEqual([])
    },
  )

  test('POST /visita/relatorio issues at most 12 tokens a minute to a visit', async () => {
    const { open } = await start()
    const statuses = []
    for (let n = 0; n < 13; n += 1) statuses.push((await open()).status)
    expect(statuses).toEqual([...Array(12).fill(200), 429])
  })
})

const set = (fields: object) => suite.app.db.updateTable('convidado').set(fields).execute()
