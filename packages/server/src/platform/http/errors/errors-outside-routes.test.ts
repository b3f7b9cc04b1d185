import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import Fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import { useTestApp } from '../../../../test/use-test-app.ts'
import { errorHandler } from './error-handler.ts'

const app = useTestApp({}, { resets: false })

describe('errors outside every route', () => {
  test.each(['!/api/%zz', '!/%E0%A4%A'])(
    '%s answers 400 with the headers of every other error',
    async (url) => {
      const { status, body, headers } = await app.anonymous.get(url)
      expect([status, body.codigo]).toEqual([400, 'requisicao_invalida'])
      expect(headers['content-type']).toMatch('application/problem+json')
      expect([headers['cache-control'], headers['x-content-type-options']]).toEqual(['no-store', 'nosniff'])
      expect(headers['content-security-policy']).toMatch("default-src 'none'")
    },
  )

  test('the server answers a problem to bytes that are not HTTP, and to headers beyond the limit', async () => {
    await app.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.app.server.address() as AddressInfo
    for (const bytes of ['LIXO\r\n\r\n', `GET / HTTP/1.1\r\nhost: x\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`]) {
      const socket = connect(port, '127.0.0.1')
      socket.end(bytes)
      const answer = await text(socket)
      expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\ncontent-type: application\/problem\+json/)
      expect(answer).toMatch(/\r\nx-content-type-options: nosniff\r\n/)
      expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({
        status: 400,
        codigo: 'requisicao_invalida',
      })
    }
  })

  test.each([
    [{ code: '08006' }, 503],
    [{ code: '57P01' }, 503],
    [{ code: '53300' }, 503],
    [{ code: 'ECONNREFUSED' }, 503],
    [{ code: 'ETIMEDOUT' }, 503],
    [{ message: 'timeout exceeded when trying to connect' }, 503],
    [{ message: 'Connection terminated unexpectedly' }, 503],
    [{ code: '22021' }, 400],
    [{ code: '23505' }, 500],
    [{ message: 'segredo no texto' }, 500],
  ])('%o answers %i and discloses no detail', async (fields, status) => {
    const server = Fastify()
    await server.register(errorHandler)
    server.get('/', async () => {
      throw Object.assign(new Error('por dentro'), fields)
    })
    const response = await server.inject('/')
    expect(response.statusCode).toBe(status)
    expect(response.body).not.toMatch(/por dentro|segredo|Connection|timeout/)
  })
})
