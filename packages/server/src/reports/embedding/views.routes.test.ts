import { describe, expect, test } from 'vitest'
import { embeddingSuite } from '../../../test/stand-ins/embedding.ts'
import { createUser } from '../../../test/users.ts'

const { suite, publish, viewer, issuedLines } = embeddingSuite()
const preparedLines = () =>
  suite.app.db.selectFrom('auditoria').select('detalhes').where('acao', '=', 'embed.prepared').execute()

describe('POST /usuarios/relatorio/:id/visualizacao', () => {
  test('POST /usuarios/relatorio/:id/visualizacao records the user, the report and its times', async () => {
    const { report, address } = await publish()
    const { post, user } = await viewer(report.idRelatorio)
    const times = { carregadoMs: 420, renderizadoMs: 910 }
    await post('/usuarios/relatorio/embed', address)
    expect((await post(`/usuarios/relatorio/${report.idRelatorio}/visualizacao`, times)).status).toBe(204)
    const [view] = await suite.app.db.selectFrom('visualizacao').selectAll().execute()
    expect(view).toMatchObject({ idUsuario: user.idUsuario, idRelatorio: report.idRelatorio, ...times })
  })

  describe('requires an issued token of the same user and report', () => {
    const opened = async () => {
      const { report, address } = await publish()
      const reader = await viewer(report.idRelatorio)
      const embed = () => reader.post('/usuarios/relatorio/embed', address)
      const record = async (times = { carregadoMs: 420, renderizadoMs: 910 }) => {
        const { status, body } = await reader.post(
          `/usuarios/relatorio/${report.idRelatorio}/visualizacao`,
          times,
        )
        return [status, body?.codigo]
      }
      return { report, address, embed, record }
    }
    const recorded = () => suite.app.db.selectFrom('visualizacao').select('renderizadoMs').execute()
    const refusal = [409, 'visualizacao_sem_abertura']

    test("a view requires an issued token of the same user and report and refuses without one, or with another user's", async () => {
      const { record, report, address } = await opened()
      const other = await viewer(report.idRelatorio)
      expect((await other.post('/usuarios/relatorio/embed', address)).status).toBe(200)
      expect(await record()).toEqual(refusal)
      expect(await recorded()).toEqual([])
    })

    test('a view requires an issued token of the same user and report and accepts one view per token, also for concurrent calls', async () => {
      const { embed, record } = await opened()
      await embed()
      await embed()
      const statuses = await Promise.all(Array.from({ length: 6 }, async () => (await record())[0]))
      expect(statuses.sort()).toEqual([204, 204, 409, 409, 409, 409])
      expect(await recorded()).toHaveLength(2)
      await embed()
      expect(await record()).toEqual([204, undefined])
    })

    test('a view requires an issued token of the same user and report and refuses a token older than fifteen minutes', async () => {
      const { embed, record } = await opened()
      await embed()
      suite.app.clock.offsetMs = 15 * 60_000 + 1_000
      expect(await record()).toEqual(refusal)
    })

    test('a view requires an issued token of the same user and report and refuses times longer than since the token plus a minute', async () => {
      const { embed, record } = await opened()
      await embed()
      expect(await record({ carregadoMs: 420, renderizadoMs: 70_000 })).toEqual(refusal)
      suite.app.clock.offsetMs = 20_000
      expect(await record({ carregadoMs: 420, renderizadoMs: 70_000 })).toEqual([204, undefined])
    })

    test('a view requires an issued token of the same user and report and refuses a render time below the load time', async () => {
      const { embed, record } = await opened()
      await embed()
      expect(await record({ carregadoMs: 911, renderizadoMs: 910 })).toEqual([422, 'campos_invalidos'])
      expect(await record({ carregadoMs: 420, renderizadoMs: 600_001 })).toEqual([422, 'campos_invalidos'])
      expect(await record({ carregadoMs: 910, renderizadoMs: 910 })).toEqual([204, undefined])
    })
  })

  test('POST /usuarios/relatorio/:id/visualizacao is not implied by prefetching a token: no view, no recent report, no use of the session', async () => {
    const { report, address } = await publish()
    const { post, get } = await viewer(report.idRelatorio)
    const sessions = () => suite.app.db.selectFrom('sessao').select(['idSessao', 'ultimoUso']).execute()
    const before = await sessions()
    suite.app.clock.offsetMs = 10 * 60_000
    expect((await post('/usuarios/relatorio/embed', address, { 'x-segundo-plano': '1' })).status).toBe(200)
    expect(await sessions()).toEqual(before)
    expect(await suite.app.db.selectFrom('visualizacao').selectAll().execute()).toEqual([])
    expect((await get('/login/usuario-atividade')).body.relatoriosRecentes).toEqual([])
    // The issued token is audited, not as an opening.
    expect(await issuedLines()).toEqual([])
    expect(await preparedLines()).toMatchObject([{ detalhes: { tokenId: expect.any(String) } }])
  })

  test('POST /usuarios/relatorio/:id/visualizacao audits the opening with a prefetched token once, and accepts one view of it', async () => {
    const { report, address } = await publish()
    const { post } = await viewer(report.idRelatorio)
    const record = async () =>
      (
        await post(`/usuarios/relatorio/${report.idRelatorio}/visualizacao`, {
          carregadoMs: 1,
          renderizadoMs: 2,
        })
      ).status
    await post('/usuarios/relatorio/embed', address, { 'x-segundo-plano': '1' })
    expect([await record(), await record()]).toEqual([204, 409])
    expect(await issuedLines()).toMatchObject([{ detalhes: { preparado: true } }])
    await post('/usuarios/relatorio/embed', address)
    expect([await record(), await record()]).toEqual([204, 409])
    expect([(await issuedLines()).length, (await preparedLines()).length]).toEqual([2, 1])
  })

  test('POST /usuarios/relatorio/:id/visualizacao answers 422 to invalid times, but checks the permission first', async () => {
    const { report } = await publish()
    const granted = await viewer(report.idRelatorio)
    const stranger = await suite.app.as(await createUser(suite.app))
    const url = `/usuarios/relatorio/${report.idRelatorio}/visualizacao`
    const wrong = { carregadoMs: -1, renderizadoMs: 'x' }
    const { status, body } = await granted.post(url, wrong)
    expect(status).toBe(422)
    expect(Object.keys(body.campos).sort()).toEqual(['carregadoMs', 'renderizadoMs'])
    expect((await stranger.post(url, wrong)).status).toBe(403)
    expect((await stranger.post(url, '{"broken')).status).toBe(403)
  })
})
