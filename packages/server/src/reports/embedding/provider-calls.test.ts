import { describe, expect, test } from 'vitest'
import { embeddingSuite } from '../../../test/stand-ins/embedding.ts'
import type { Kind } from '../../../test/stand-ins/provider-requests.ts'
import { datasetId } from '../../../test/stand-ins/provider-stand-in.ts'

/* What embedding requests from the provider, how long it caches the answers, and how it reports
   failures. */

const { suite, publish, viewer, issuedLines } = embeddingSuite()

describe('the token cache', () => {
  const count = (end: string) => suite.provider.seen.filter(({ path }) => path.endsWith(end)).length

  test('the token cache serves many viewers of a report with one Entra token and one embed token', async () => {
    const { report, address } = await publish()
    const viewers = await Promise.all([
      viewer(report.idRelatorio),
      viewer(report.idRelatorio),
      viewer(report.idRelatorio),
    ])
    const answers = await Promise.all(viewers.map(({ post }) => post('/usuarios/relatorio/embed', address)))
    expect(new Set(answers.map(({ body }) => body.embedToken)).size).toBe(1)
    expect([count('/token'), count('/GenerateToken')]).toEqual([1, 1])
    const [{ body } = expect.fail()] = suite.provider.seen.filter(({ path }) =>
      path.endsWith('/GenerateToken'),
    )
    expect(body).not.toContain('biManager')
    expect(await issuedLines()).toHaveLength(3)
  })

  test('the token cache serves each reader of the local service with an own token, which marks the reader', async () => {
    const { report, address, connection } = await publish()
    await suite.app.db
      .updateTable('powerbi')
      .set({ provedor: 'local' })
      .where('idPowerBi', '=', connection.idPowerBi)
      .execute()
    const [one, other] = [await viewer(report.idRelatorio), await viewer(report.idRelatorio)]
    const tokens: string[] = []
    for (const { post } of [one, other, one])
      tokens.push((await post('/usuarios/relatorio/embed', address)).body.embedToken)
    expect(tokens[2]).toBe(tokens[0])
    expect(tokens[1]).not.toBe(tokens[0])
    const marks = suite.provider.seen
      .filter(({ path }) => path.endsWith('/GenerateToken'))
      .map(({ body }) => JSON.parse(body)['@biManager.reader'])
    expect(new Set(marks).size).toBe(2)
    for (const mark of marks) expect(mark).toMatch(/^[\w-]{43}$/)
  })

  test('the token cache shares an embed token for half its life, and renews the Entra token at half its life', async () => {
    const { report, address } = await publish()
    const { post } = await viewer(report.idRelatorio)
    await post('/usuarios/relatorio/embed', address)
    suite.app.clock.offsetMs = 29 * 60_000
    await post('/usuarios/relatorio/embed', address)
    expect([count('/token'), count('/GenerateToken')]).toEqual([1, 1])
    suite.app.clock.offsetMs = 31 * 60_000
    await post('/usuarios/relatorio/embed', address)
    expect([count('/token'), count('/GenerateToken')]).toEqual([2, 2])
  })

  test('the token cache renews an Entra token that the provider refuses, once', async () => {
    const { report, address } = await publish()
    const { post } = await viewer(report.idRelatorio)
    let refusals = 0
    suite.provider.answer('report', ({ path }) => {
      refusals += 1
      if (refusals === 1) return { status: 403, body: { error: { code: 'TokenExpired' } } }
      const id = path.split('/').at(-1)
      return { body: { id, name: 'R', embedUrl: `${suite.provider.origin}/reportEmbed`, datasetId } }
    })
    expect((await post('/usuarios/relatorio/embed', address)).status).toBe(200)
    expect(count('/token')).toBe(2)
  })

  test('the token cache drops the tokens of a connection that is edited', async () => {
    const { report, address, connection } = await publish()
    const { post } = await viewer(report.idRelatorio)
    await post('/usuarios/relatorio/embed', address)
    await suite.app.db
      .updateTable('powerbi')
      .set((eb) => ({ versao: eb('versao', '+', 1) }))
      .where('idPowerBi', '=', connection.idPowerBi)
      .execute()
    await post('/usuarios/relatorio/embed', address)
    expect(count('/token')).toBe(2)
  })
})

describe('POST /usuarios/relatorio/embed when the provider fails', () => {
  const cases: [string, Kind, () => object, number, string][] = [
    [
      'a wrong secret',
      'token',
      () => ({ status: 401, body: { error: 'invalid_client', error_description: 'AADSTS7000215' } }),
      502,
      'bi_credencial_recusada',
    ],
    ['Entra down', 'token', () => ({ status: 503, body: 'oops' }), 503, 'bi_indisponivel'],
    [
      'no membership of the workspace',
      'report',
      () => ({ status: 403, body: { error: { code: 'PowerBINotAuthorizedException' } } }),
      502,
      'bi_sem_acesso',
    ],
    [
      'a deleted report',
      'report',
      () => ({ status: 404, body: { error: { code: 'PowerBIEntityNotFound' } } }),
      502,
      'bi_relatorio_inexistente',
    ],
    [
      'too many requests',
      'generateToken',
      () => ({ status: 429, headers: { 'retry-after': '17' } }),
      503,
      'bi_sobrecarregado',
    ],
    [
      'a paused capacity',
      'generateToken',
      () => ({ status: 400, body: { error: { code: 'CapacityNotActive' } } }),
      503,
      'bi_pausado',
    ],
    [
      'a missing identity',
      'generateToken',
      () => ({
        status: 400,
        body: {
          error: {
            code: 'InvalidRequest',
            message: 'Creating embed token requires effective identity to be provided',
          },
        },
      }),
      502,
      'bi_identidade_necessaria',
    ],
    ['malformed JSON', 'generateToken', () => ({ body: '{"token":' }), 502, 'bi_resposta_invalida'],
    [
      'an embed address on another host',
      'report',
      () => ({ body: { id: 'x', name: 'R', embedUrl: 'https://evil.example/reportEmbed', datasetId } }),
      502,
      'bi_resposta_invalida',
    ],
    [
      'a redirect',
      'report',
      () => ({ status: 302, headers: { location: 'http://127.0.0.1:9/' } }),
      503,
      'bi_indisponivel',
    ],
    ['no answer in time', 'generateToken', () => ({ delay: 3000 }), 504, 'bi_sem_resposta'],
  ]
  test.each(cases)(
    'POST /usuarios/relatorio/embed when the provider fails answers its own problem code for %s',
    async (_, kind, answer, status, codigo) => {
      suite.provider.answer(kind, answer)
      const { report, address } = await publish()
      const { post } = await viewer(report.idRelatorio)
      const started = performance.now()
      const refused = await post('/usuarios/relatorio/embed', address)
      expect([refused.status, refused.body.codigo]).toEqual([status, codigo])
      expect(performance.now() - started).toBeLessThan(2500)
      if (codigo === 'bi_sobrecarregado') expect(refused.headers['retry-after']).toBe('17')
      expect(await issuedLines()).toEqual([])
      suite.provider.restore()
      // The failure is not cached.
      expect((await post('/usuarios/relatorio/embed', address)).status).toBe(200)
    },
  )
})
