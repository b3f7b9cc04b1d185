import { beforeEach, describe, expect, test } from 'vitest'
import { createSubscription } from '../../../test/distribution/subscriptions.ts'
import { createConnection, createReport, createWorkspace, grantReport } from '../../../test/reports.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'
import { unsubscribeToken } from './recipients/unsubscribe-token.ts'

const app = useTestApp()
let idAssinatura = 0
let idUsuario = 0
let idRelatorio = 0
let url = ''
beforeEach(async () => {
  const { idPowerBi } = await createConnection(app)
  const { idGrupoRelatorio } = await createWorkspace(app, { idPowerBi })
  idRelatorio = (await createReport(app, { idGrupoRelatorio })).idRelatorio
  const owner = await createUser(app, { tipoUsuario: 'ADMIN' })
  const person = await createUser(app, { emailUsuario: 'carla@exemplo.com.br' })
  idUsuario = person.idUsuario
  await grantReport(app, idUsuario, idRelatorio)
  const fields = { idRelatorio, idDono: owner.idUsuario, assunto: 'Custos' }
  idAssinatura = (await createSubscription(app, fields, [idUsuario])).idAssinatura
  url = `/assinaturas/cancelamento?token=${unsubscribeToken(app.services.secrets, { idAssinatura, idUsuario })}`
})
const exits = () => app.db.selectFrom('assinaturaSaida').select(['idAssinatura', 'idUsuario']).execute()

describe('the link of an e-mail', () => {
  test('the link of an e-mail shows what it ends, and changes nothing when it is read', async () => {
    const { status, body } = await app.anonymous.get(url)
    expect([status, body]).toEqual([200, { assunto: 'Custos', email: 'c…@exemplo.com.br', saiu: false }])
    expect(await exits()).toEqual([])
  })

  test('the link of an e-mail leads a browser to the page that asks first', async () => {
    const { status, headers } = await app.anonymous.get(url, { accept: 'text/html,*/*' })
    expect([status, headers.location]).toEqual([
      303,
      url.replace('/assinaturas/cancelamento', '/cancelar-assinatura'),
    ])
    expect(await exits()).toEqual([])
  })

  test('the link of an e-mail hides the subject from a recipient who may not see the report', async () => {
    await app.db.deleteFrom('relatorioUsuario').execute()
    expect((await app.anonymous.get(url)).body.assunto).toBeNull()
    await grantReport(app, idUsuario, idRelatorio)
    await app.db
      .updateTable('usuario')
      .set({ situacao: 'BLOQUEADO' })
      .where('idUsuario', '=', idUsuario)
      .execute()
    expect((await app.anonymous.get(url)).body.assunto).toBeNull()
  })

  test.each([
    ['a form', 'application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
    [
      'a multipart form',
      'multipart/form-data; boundary=x',
      '--x\r\ncontent-disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
    ],
  ])(
    'the link of an e-mail ends the subscription of one person by %s without a session, once',
    async (_, type, payload) => {
      for (const _again of ['first', 'again']) {
        const { status } = await app.anonymous.post(url, payload, { 'content-type': type })
        expect(status).toBe(204)
      }
      expect(await exits()).toEqual([{ idAssinatura, idUsuario }])
      expect((await app.anonymous.get(url)).body.saiu).toBe(true)
      const lines = await app.db
        .selectFrom('auditoria')
        .select(['idUsuario', 'objeto', 'detalhes'])
        .where('acao', '=', 'subscription.left')
        .execute()
      expect(lines).toEqual([
        { idUsuario, objeto: `assinatura:${idAssinatura}`, detalhes: { porLink: true } },
      ])
    },
  )

  test('the link of an e-mail does nothing any more after the subscription is deleted', async () => {
    await app.db.deleteFrom('assinatura').execute()
    expect((await app.anonymous.post(url, undefined)).status).toBe(204)
    expect((await app.anonymous.get(url)).body.assunto).toBeNull()
  })

  test.each([
    ['of another person', (token: string) => token.replace(/\.\d+\./, '.1.')],
    ['of another subscription', (token: string) => token.replace(/^\d+/, '99')],
    ['with another digest', (token: string) => `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`],
    ['that is empty', () => ''],
    ['with more', (token: string) => `${token}x`],
  ])('the link of an e-mail is refused with a token %s', async (_, forge) => {
    const [path, token = ''] = url.split('?token=')
    const forged = `${path}?token=${forge(token)}`
    expect((await app.anonymous.get(forged)).body.codigo).toBe('link_invalido')
    expect((await app.anonymous.post(forged, undefined)).status).toBe(400)
    expect(await exits()).toEqual([])
  })
})
