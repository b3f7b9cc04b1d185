import { type AddressInfo, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '../../../../test/calls/endpoints.ts'
import { attachmentDraft } from '../../../../test/clinical/attachments.ts'
import { formOf, multipartOf } from '../../../../test/multipart.ts'
import { useTestApp } from '../../../../test/use-test-app.ts'
import { createUser } from '../../../../test/users.ts'

/* Slow, huge, deeply nested or malformed requests are refused without effect on other calls. */

let port: number
const app = useTestApp({ RATE_LIMIT_PER_MINUTE: '1000000' }, { resets: false })
beforeAll(async () => {
  // Checks the real limits first; the tests shorten them.
  const { server, bodyTime } = app.app
  expect([server.headersTimeout, server.requestTimeout, bodyTime.ms]).toEqual([20_000, 300_000, 30_000])
  await app.app.listen({ port: 0, host: '127.0.0.1' })
  port = (server.address() as AddressInfo).port
})

/** Sends pieces with a pause between them, and reads until the server closes the connection. */
const talk = (pieces: string[], pauseMs = 0): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let answer = ''
    socket.on('data', (chunk) => {
      answer += chunk
      // A complete answer on a connection that stays open.
      if (/\r\n\r\n.*\}$/s.test(answer)) socket.end()
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(answer))
    void (async () => {
      for (const piece of pieces) {
        if (socket.destroyed) return
        socket.write(piece)
        if (pauseMs > 0) await sleep(pauseMs)
      }
    })()
  })

const codeOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0)
const post = (body: string, more: string[] = []) =>
  [
    'POST /api/usuarios/authorizer HTTP/1.1',
    'host: x',
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(body)}`,
    ...more,
    '',
    body,
  ].join('\r\n')

describe('slow requests', () => {
  test('slow requests are cut off when headers or bodies trickle in, while others are served', {
    timeout: 60_000,
  }, async () => {
    const { server } = app.app
    const [headers, request] = [server.headersTimeout, server.requestTimeout]
    // New connections use these; Node checks them every 5 s.
    server.headersTimeout = 1_000
    server.requestTimeout = 2_000
    const trickle = Array.from({ length: 40 }, (_, n) => `x-${n}: y\r\n`)
    const slowHeaders = talk(['GET /healthz HTTP/1.1\r\nhost: x\r\n', ...trickle], 500)
    const body = Array.from({ length: 40 }, () => ' ')
    const head = post('').replace('content-length: 0', 'content-length: 5000')
    const slowBody = talk([head, ...body], 500)
    const served = await app.anonymous.get('!/healthz')
    expect(served.status).toBe(200)
    const started = performance.now()
    const answers = await Promise.all([slowHeaders, slowBody])
    expect(performance.now() - started).toBeLessThan(15_000)
    for (const answer of answers) expect([0, 400, 408]).toContain(codeOf(answer))
    Object.assign(server, { headersTimeout: headers, requestTimeout: request })
  })
})

test("only an authorised file upload may exceed the body's time limit", {
  timeout: 30_000,
}, async () => {
  const { bodyTime } = app.app
  bodyTime.ms = 700
  const clinician = await app.as(await createUser(app, { acessoProntuario: true }))
  const { token } = await app.as(await createUser(app))
  const form = await multipartOf(formOf({ ...attachmentDraft, descricao_anexo: 'ASCII' }))
  const half = Math.floor(form.bytes.length / 2)
  const send = (authorization: string[]) =>
    talk(
      [
        [
          'POST /api/anexos HTTP/1.1',
          'host: x',
          `content-type: ${form.type}`,
          `content-length: ${form.bytes.length}`,
          ...authorization,
          '',
          form.bytes.toString('latin1', 0, half),
        ].join('\r\n'),
        '',
        form.bytes.toString('latin1', half),
      ],
      1_000,
    )
  const started = performance.now()
  const [slow, refused, unknown, other] = await Promise.all([
    send([`authorization: Bearer ${clinician.token}`]),
    send([`authorization: Bearer ${token}`]),
    send([]),
    talk([post('{}').replace('content-length: 2', 'content-length: 500'), ' ', ' ', ' '], 1_000),
  ])
  expect([slow, refused, unknown, other].map(codeOf)).toEqual([201, 403, 401, 400])
  expect(performance.now() - started).toBeLessThan(15_000)
  bodyTime.ms = 30_000
})

describe('request size', () => {
  test.each([
    ['one header', [`x: ${'a'.repeat(20_000)}`]],
    ['many headers', Array.from({ length: 3_000 }, (_, n) => `x-${n}: ${n}`)],
    ['an address', []],
  ])('%s beyond the limit answers 4xx, and the server keeps serving', async (name, headers) => {
    const path = name === 'an address' ? `/${'a'.repeat(20_000)}` : '/healthz'
    const answer = await talk([[`GET ${path} HTTP/1.1`, 'host: x', ...headers, '', ''].join('\r\n')])
    expect([400, 414, 431]).toContain(codeOf(answer))
    expect(answer).toContain('requisicao_invalida')
    expect((await app.anonymous.get('!/healthz')).status).toBe(200)
  })

  test('a body beyond 256 KB answers 413, with a length or chunked, before it is parsed', async () => {
    const huge = JSON.stringify({ username: 'a'.repeat(300_000), password: 'b' })
    expect(codeOf(await talk([post(huge)]))).toBe(413)
    const pieces = Array.from({ length: 40 }, () => `2000\r\n${'a'.repeat(0x2000)}\r\n`)
    const head = post('').replace('content-length: 0', 'transfer-encoding: chunked')
    expect(codeOf(await talk([head, ...pieces, '0\r\n\r\n']))).toBe(413)
  })

  test('two lengths, or a length and chunks, are refused, so no second request is smuggled', async () => {
    for (const more of [['content-length: 5'], ['transfer-encoding: chunked']]) {
      const answer = await talk([post('{}', more)])
      expect(codeOf(answer)).toBe(400)
      expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1)
    }
  })

  test('a compressed body is refused, not unpacked', async () => {
    const { status } = await app.anonymous.post('/usuarios/authorizer', 'x', { 'content-encoding': 'gzip' })
    expect([400, 415]).toContain(status)
  })
})

describe('malformed JSON', () => {
  const bodies: [string, string][] = [
    ['deep arrays', `${'['.repeat(50_000)}${']'.repeat(50_000)}`],
    ['deep objects', `${'{"a":'.repeat(30_000)}1${'}'.repeat(30_000)}`],
    ['__proto__', '{"username":"a@b.co","password":"12345678","__proto__":{"tipo":"ADMIN"}}'],
    ['constructor', '{"username":"a@b.co","password":"1","constructor":{"prototype":{"tipo":"ADMIN"}}}'],
    ['an escaped __proto__', '{"username":"a@b.co","password":"1","\\u005f_proto__":{"tipo":"ADMIN"}}'],
    ['a number beyond the range', '{"username":1e999,"password":-0}'],
    ['a lone surrogate', '{"username":"\\ud800","password":"\\udfff"}'],
    ['the same key twice', '{"username":"a","username":{"$ne":1},"password":"x"}'],
    ['null', 'null'],
    ['a NUL', '{"username":"a\\u0000b","password":"x"}'],
  ]
  test.each(bodies)('every call with a body refuses %s without an internal error', async (_name, body) => {
    const admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
    const withBody = endpoints.filter((endpoint) => endpoint.body && endpoint.permission !== 'public')
    expect(withBody.length).toBeGreaterThan(10)
    const open = endpoints.filter((endpoint) => endpoint.body && endpoint.permission === 'public')
    for (const { method, url } of [...withBody, ...open]) {
      const path = url.replace(/:\w+/g, '1')
      const send = method === 'PUT' ? admin.put : admin.post
      const started = performance.now()
      const { status, body: answer } = await send(path, body)
      expect(status, `${method} ${path}: ${JSON.stringify(answer)}`).toBeLessThan(500)
      expect(performance.now() - started).toBeLessThan(5_000)
    }
    expect({}).not.toHaveProperty('tipo')
    expect((await admin.get('/usuarios/sessao')).status).toBe(200)
  })

  test('prototype keys are refused as malformed JSON', async () => {
    for (const key of ['__proto__', 'constructor']) {
      const body = `{"username":"a@b.co","password":"x","${key}":{"prototype":{"tipo":"ADMIN"}}}`
      const { status, body: answer } = await app.anonymous.post('/usuarios/authorizer', body)
      expect([status, answer.codigo]).toEqual([400, 'requisicao_invalida'])
    }
  })
})
