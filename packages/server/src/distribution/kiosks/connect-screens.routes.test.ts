import { describe, expect, test } from 'vitest'
import { connectedScreen, createKiosk, waitingScreen } from '../../../test/distribution/kiosks.ts'
import { embeddingSuite } from '../../../test/stand-ins/embedding.ts'
import { createUser } from '../../../test/users.ts'

/* A screen is connected to a kiosk and disconnected from it; kiosks.routes.test.ts is about their pages. */

const { suite, publish } = embeddingSuite()

const start = async () => {
  const { report } = await publish()
  const admin = await createUser(suite.app, { tipoUsuario: 'ADMIN', nomeUsuario: 'Gestora' })
  return { report, admin, asAdmin: await suite.app.as(admin) }
}

const linesOf = (acao: string) =>
  suite.app.db.selectFrom('auditoria').selectAll().where('acao', '=', acao).execute()

describe('POST /usuarios/telao/:id/conectar', () => {
  const waiting = async () => {
    const { report, admin, asAdmin } = await start()
    const kiosk = await createKiosk(suite.app, [report.idRelatorio], { validadeDias: 10 })
    const url = (call: string) => `/usuarios/telao/${kiosk.idTelao}/${call}`
    return { admin, asAdmin, kiosk, url, ...(await waitingScreen(suite.app)) }
  }
  const stateOf = async (credencial: string) =>
    (await suite.app.anonymous.post('/telao/espera', { credencial })).body

  test('POST /usuarios/telao/:id/conectar shows the screen first, then connects it once, and audits it', async () => {
    const { admin, asAdmin, kiosk, url, codigo, credencial } = await waiting()
    const typed = `${codigo.slice(0, 4).toLowerCase()}-${codigo.slice(4)} `
    const seen = await asAdmin.post(url('conferir'), { codigo: typed })
    expect(seen.status).toBe(200)
    expect(seen.body).toMatchObject({ dispositivo: 'Tela de teste', endereco: '192.0.2.7' })
    expect(await stateOf(credencial)).toEqual({ situacao: 'AGUARDANDO' })

    const { status, body } = await asAdmin.post(url('conectar'), { codigo: typed })
    expect(status).toBe(200)
    expect(body).toMatchObject({ conectadaPor: 'Gestora', dispositivo: 'Tela de teste', vistaEm: null })
    expect(Date.parse(body.expiraEm) - Date.parse(body.conectadaEm)).toBe(10 * 24 * 3_600_000)
    expect(await stateOf(credencial)).toEqual({ situacao: 'CONECTADA' })
    expect(await linesOf('kiosk.connected')).toMatchObject([
      { idUsuario: admin.idUsuario, objeto: `telao:${kiosk.idTelao}`, detalhes: { trocouTela: false } },
    ])
    const text = JSON.stringify(await suite.app.db.selectFrom('auditoria').selectAll().execute())
    expect(text).not.toContain(credencial)
    expect(text).not.toContain(codigo)

    // A code is worth one connection.
    for (const call of ['conferir', 'conectar']) {
      const again = await asAdmin.post(url(call), { codigo })
      expect([again.status, Object.keys(again.body.campos)]).toEqual([422, ['codigo']])
    }
  })

  test('POST /usuarios/telao/:id/conectar disconnects the screen that was connected before', async () => {
    const { admin, asAdmin, kiosk, url, codigo } = await waiting()
    const before = await connectedScreen(suite.app, {
      idTelao: kiosk.idTelao,
      conectadaPor: admin.idUsuario,
    })
    const old = suite.app.withHeaders({ authorization: `Bearer ${before}` })
    expect((await old.get('/telao/rotacao')).status).toBe(200)
    expect((await asAdmin.post(url('conectar'), { codigo })).status).toBe(200)
    const { status, body } = await old.get('/telao/rotacao')
    expect([status, body.codigo]).toEqual([401, 'telao_desconectado'])
    expect(await linesOf('kiosk.connected')).toMatchObject([{ detalhes: { trocouTela: true } }])
  })

  test('of two concurrent calls with one code, one connects', async () => {
    const { asAdmin, url, codigo } = await waiting()
    const answers = await Promise.all([1, 2].map(() => asAdmin.post(url('conectar'), { codigo })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
  })

  test('POST /usuarios/telao/:id/conectar refuses an expired code, also to the screen', async () => {
    const { admin, url, codigo, credencial } = await waiting()
    suite.app.clock.offsetMs = 601_000
    const asAdmin = await suite.app.as(admin)
    expect((await asAdmin.post(url('conferir'), { codigo })).status).toBe(422)
    expect((await asAdmin.post(url('conectar'), { codigo })).status).toBe(422)
    expect(await stateOf(credencial)).toMatchObject({ codigo: 'codigo_tela_vencido' })
    expect(await linesOf('kiosk.connected')).toEqual([])
  })

  test.each([
    ['AAAABBBB', 'Código incorreto, vencido ou já usado. Confira o que a tela mostra agora.'],
    ['BCDFGHJK', 'Código incorreto, vencido ou já usado. Confira o que a tela mostra agora.'],
    ['BCDFGHJ', 'O código tem 8 letras. Confira o que a tela mostra.'],
    ['BCDFGHJ2', 'O código tem 8 letras. Confira o que a tela mostra.'],
  ])('POST /usuarios/telao/:id/conectar answers %s with: %s', async (codigo, sentence) => {
    const { asAdmin, url } = await waiting()
    const { status, body } = await asAdmin.post(url('conferir'), { codigo })
    expect([status, body.campos]).toEqual([422, { codigo: sentence }])
  })

  test('POST /usuarios/telao/:id/conectar limits guesses to 10 per ADMIN in 15 minutes, over all kiosks and both calls', async () => {
    const { asAdmin, url, codigo } = await waiting()
    const { idTelao } = await createKiosk(suite.app, [])
    for (let guess = 0; guess < 10; guess += 1) {
      const call = guess % 2 === 0 ? url('conferir') : `/usuarios/telao/${idTelao}/conectar`
      expect((await asAdmin.post(call, { codigo: `BCDFGHJ${'BCDFGHJKLM'[guess]}` })).status).toBe(422)
    }
    // Not even the right code is accepted now.
    const { status, headers } = await asAdmin.post(url('conectar'), { codigo })
    expect(status).toBe(429)
    expect(Number(headers['retry-after'])).toBeGreaterThan(600)
    expect(await linesOf('kiosk.code-refused')).toHaveLength(10)
    expect(await suite.app.db.selectFrom('telaoTela').selectAll().execute()).toEqual([])
  })

  test('POST /usuarios/telao/:id/conectar is refused to a USER, without a recent proof, and from a page of another origin', async () => {
    const { asAdmin, url, codigo } = await waiting()
    const user = await suite.app.as(await createUser(suite.app))
    expect((await user.post(url('conectar'), { codigo })).status).toBe(403)
    // A page of another origin has no token to send, and no cookie is sent for it.
    const forged = await suite.app.anonymous.post(
      url('conectar'),
      { codigo },
      { origin: 'https://outra.example' },
    )
    expect([forged.status, forged.headers['access-control-allow-origin']]).toEqual([401, undefined])
    suite.app.clock.offsetMs = 11 * 60_000
    const { body } = await asAdmin.post(url('conectar'), { codigo })
    expect(body.codigo).toBe('reautenticacao_necessaria')
  })
})

describe('POST /usuarios/telao/:id/desconectar, and the deletion', () => {
  test('POST /usuarios/telao/:id/desconectar, and the deletion end the screen at its next call, and are audited', async () => {
    const { report, admin, asAdmin } = await start()
    for (const end of ['desconectar', 'excluir'] as const) {
      const { idTelao, pages } = await createKiosk(suite.app, [report.idRelatorio])
      const credential = await connectedScreen(suite.app, { idTelao, conectadaPor: admin.idUsuario })
      const screen = suite.app.withHeaders({ authorization: `Bearer ${credential}` })
      expect((await screen.post(`/telao/paginas/${pages[0]}/embed`)).status).toBe(200)
      const url = `/usuarios/telao/${idTelao}`
      if (end === 'excluir') expect((await asAdmin.del(url)).status).toBe(204)
      else {
        const { status, body } = await asAdmin.post(`${url}/desconectar`)
        expect([status, body.conectadaEm]).toEqual([200, null])
      }
      expect((await screen.get('/telao/rotacao')).status).toBe(401)
      expect((await screen.post(`/telao/paginas/${pages[0]}/embed`)).status).toBe(401)
    }
    expect(await linesOf('kiosk.disconnected')).toHaveLength(1)
    expect(await linesOf('kiosk.deleted')).toHaveLength(1)
  })
})
