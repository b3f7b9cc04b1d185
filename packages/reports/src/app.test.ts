import { Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { GROUP, REPORT, serviceWith, startService } from '../test/fixture.ts'

describe('health', () => {
  it('is alive at once and ready when the data is there', async () => {
    const service = await startService()
    try {
      expect((await service.app.inject('/healthz')).statusCode).toBe(200)
      const early = await service.app.inject('/readyz')
      const token = await service.entraToken()
      const tooEarly = await service.rest(token, 'GET', '/groups')
      // Loading takes at least a few turns of the event loop, and both calls were made before the first.
      expect([early.statusCode, early.json()]).toEqual([503, { situacao: 'carregando' }])
      expect([tooEarly.statusCode, tooEarly.json().error?.code]).toEqual([503, 'ServiceUnavailable'])
      await service.loaded
      const ready = await service.app.inject('/readyz')
      expect([ready.statusCode, ready.json()]).toEqual([
        200,
        { situacao: 'pronto', relatorios: 2, avisos: [] },
      ])
    } finally {
      await service.stop()
    }
  })
})

it('answers an unknown address as Power BI would', async () => {
  const { app } = await serviceWith()
  const answer = await app.inject('/nada')
  expect([answer.statusCode, answer.json().error.code]).toEqual([404, 'NotFound'])
  expect(answer.headers['x-content-type-options']).toBe('nosniff')
})

it('logs neither tokens nor secrets nor whose rows were asked for', async () => {
  const lines: string[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  const service = await serviceWith({ options: { logger: { level: 'trace', stream } } })
  await service.oauth({ ...service.clientForm, client_secret: 'segredo-errado' })
  const entra = await service.entraToken()
  const token = await service.embedToken(['por-usuario'], { customData: 'dado-do-usuario' })
  await service.data(token)
  await service.data(`${token}x`)
  await service.rest(entra, 'GET', `/groups/${GROUP}/reports/${REPORT}`)
  const log = lines.join('')
  expect(log).toContain(`/embed-api/reports/${REPORT}/data`)
  for (const secret of [
    entra,
    token,
    'segredo-errado',
    'ana@x.br',
    'dado-do-usuario',
    service.credentials.signingKey,
    service.clientForm.client_secret,
    service.credentials.users[0]?.password ?? '',
  ]) {
    expect(log).not.toContain(secret)
  }
})
