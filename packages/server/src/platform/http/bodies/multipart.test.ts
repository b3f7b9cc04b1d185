import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request as sendRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { MAX_UPLOAD_BYTES } from '@bi-manager/contract'
import sharp from 'sharp'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { attachmentDraft } from '../../../../test/clinical/attachments.ts'
import { countStoredAttachments, NOTHING } from '../../../../test/clinical/kept-files.ts'
import { formOf, multipartOf } from '../../../../test/multipart.ts'
import type { TestApp } from '../../../../test/test-app.ts'
import { useTestApp } from '../../../../test/use-test-app.ts'
import { createUser } from '../../../../test/users.ts'

let clinician: Awaited<ReturnType<TestApp['as']>>
let port: number
const app = useTestApp({}, { resets: false })
beforeAll(async () => {
  clinician = await app.as(await createUser(app, { acessoProntuario: true }))
  await app.app.listen({ port: 0, host: '127.0.0.1' })
  port = (app.app.server.address() as AddressInfo).port
})

const png = () =>
  sharp({ create: { width: 9, height: 9, channels: 3, background: '#036' } })
    .png()
    .toBuffer()
const whole = (file?: Parameters<typeof formOf>[1]) => multipartOf(formOf(attachmentDraft, file))

/** Sends the body in pieces over a socket with exactly these headers, until the answer arrives. */
const overSocket = (
  body: Buffer | (() => Generator<Buffer>),
  headers: Record<string, string>,
): Promise<{ status: number; codigo: string | undefined; sent: number }> =>
  new Promise((resolve, reject) => {
    let [sent, isAnswered] = [0, false]
    const outgoing = sendRequest(
      { host: '127.0.0.1', port, path: '/api/anexos', method: 'POST', headers, agent: false },
      (response) => {
        isAnswered = true
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => {
          const { codigo } = JSON.parse(Buffer.concat(chunks).toString())
          resolve({ status: response.statusCode ?? 0, codigo, sent })
          outgoing.destroy()
        })
      },
    )
    outgoing.on('error', (error) => isAnswered || reject(error))
    const pieces = typeof body === 'function' ? body() : [body].values()
    const next = (): void => {
      const { value, done } = pieces.next()
      if (done || isAnswered) {
        outgoing.end()
        return
      }
      sent += value.length
      if (outgoing.write(value)) setImmediate(next)
      else outgoing.once('drain', next)
    }
    next()
  })
const signedIn = () => ({ authorization: `Bearer ${clinician.token}` })

describe('the size limit of a file, whatever its declared length', () => {
  test.each([
    // Not an image, so the check of the bytes refuses it.
    [MAX_UPLOAD_BYTES, 415, 'arquivo_recusado'],
    [MAX_UPLOAD_BYTES + 1, 413, 'arquivo_grande_demais'],
  ])(
    'the size limit of a file, whatever its declared length decides on the exact length: %i bytes',
    async (length, status, codigo) => {
      const { type, bytes } = await whole({ bytes: randomBytes(length), name: 'a.png' })
      const headers = { ...signedIn(), 'content-type': type }
      const said = { ...headers, 'content-length': String(bytes.length) }
      expect(await overSocket(bytes, said)).toMatchObject({ status, codigo })
      // Chunked, without a length.
      expect(await overSocket(bytes, headers)).toMatchObject({ status, codigo })
      expect(await countStoredAttachments(app)).toEqual(NOTHING)
    },
  )

  test('the size limit of a file, whatever its declared length cuts off a body longer than declared and refuses it as incomplete', async () => {
    const { type, bytes } = await whole({ bytes: randomBytes(MAX_UPLOAD_BYTES + 1), name: 'a.png' })
    const headers = { ...signedIn(), 'content-type': type, 'content-length': '5000', connection: 'close' }
    expect(await overSocket(bytes.subarray(0, 5000), headers)).toMatchObject({ status: 400 })
    expect(await countStoredAttachments(app)).toEqual(NOTHING)
  })

  test('the size limit of a file, whatever its declared length refuses a gigabyte by its declared length, and an undeclared one after two files’ worth', async () => {
    const { type, bytes } = await whole({ bytes: Buffer.alloc(1), name: 'a.png' })
    const headers = { ...signedIn(), 'content-type': type }
    const said = await overSocket(bytes, { ...headers, 'content-length': String(1024 ** 3) })
    expect(said).toMatchObject({ status: 413, codigo: 'arquivo_grande_demais' })
    const head = bytes.subarray(0, bytes.indexOf('\0'))
    const endless = await overSocket(function* () {
      yield head
      for (let i = 0; i < 1024; i += 1) yield Buffer.alloc(1024 * 1024)
    }, headers).catch(({ code }: NodeJS.ErrnoException) => code)
    // A client that still sends when the connection closes may fail before it reads the answer.
    if (typeof endless === 'string') expect(['EPIPE', 'ECONNRESET']).toContain(endless)
    else {
      expect(endless).toMatchObject({ status: 413, codigo: 'arquivo_grande_demais' })
      expect(endless?.sent).toBeLessThan(5 * MAX_UPLOAD_BYTES)
    }
    expect(await countStoredAttachments(app)).toEqual(NOTHING)
  })
})

test('the reader of forms refuses a caller without permission before it reads the body', async () => {
  const { token } = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
  const { type, bytes } = await whole({ bytes: Buffer.alloc(1), name: 'a.png' })
  const length = { 'content-type': type, 'content-length': String(8 * 1024 * 1024) }
  // The rest never arrives, so a server that waits for it would not answer.
  const start = bytes.subarray(0, 100)
  expect(await overSocket(start, length)).toMatchObject({ status: 401, codigo: 'sessao_ausente' })
  const asAdmin = { ...length, authorization: `Bearer ${token}` }
  expect(await overSocket(start, asAdmin)).toMatchObject({ status: 403, codigo: 'sem_permissao' })
  const broken = {
    authorization: `Bearer ${token}`,
    'content-type': 'multipart/form-data',
    'content-length': '1',
  }
  expect(await overSocket(Buffer.from('x'), broken)).toMatchObject({ status: 403 })
})

test('the portal limits concurrent uploads per user and in total, and frees the slot of a client that disconnects', async () => {
  const { type, bytes } = await whole({ bytes: randomBytes(100), name: 'a.png' })
  // The rest never arrives, so the upload stays in progress.
  const hold = (token: string) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': type, 'content-length': '5000' }
    const held = sendRequest({ host: '127.0.0.1', port, path: '/api/anexos', method: 'POST', headers })
    held.on('error', () => {})
    held.write(bytes.subarray(0, 100))
    return held
  }
  /** The status answered before the body has arrived; undefined where a slot was free. */
  const refusalOf = async (token: string) => {
    const tried = hold(token)
    try {
      const [{ statusCode, headers }] = await once(tried, 'response', { signal: AbortSignal.timeout(500) })
      return { statusCode, retryAfter: headers['retry-after'] }
    } catch {
      return undefined
    } finally {
      tried.destroy()
    }
  }
  // The body is read to its end, and refused because it is not an image.
  const complete = async (token: string) =>
    (await overSocket(bytes, { authorization: `Bearer ${token}`, 'content-type': type })).status
  const people = Array.from({ length: 5 }, () => createUser(app, { acessoProntuario: true }))
  const [first = '', last = '', ...others] = await Promise.all(
    people.map(async (person) => (await app.as(await person)).token),
  )
  const held = [hold(first), hold(first)]
  try {
    await expect.poll(() => refusalOf(first)).toEqual({ statusCode: 429, retryAfter: '10' })
    expect(await complete(last)).toBe(415)
    held.push(...others.flatMap((token) => [hold(token), hold(token)]))
    await expect.poll(() => refusalOf(last)).toEqual({ statusCode: 503, retryAfter: '10' })
  } finally {
    for (const request of held) request.destroy()
  }
  for (const token of [first, last, ...others]) await expect.poll(() => complete(token)).toBe(415)
})

describe('POST /anexos with a malformed form', () => {
  afterEach(async () => expect(await countStoredAttachments(app)).toEqual(NOTHING))
  const post = (bytes: Buffer | string, type: string) =>
    clinician.post('/anexos', bytes, { 'content-type': type })
  const withParts = async (add: (form: FormData) => void, file = true) => {
    const form = formOf(attachmentDraft, file ? { bytes: await png(), name: 'a.png' } : undefined)
    add(form)
    return clinician.upload('/anexos', form)
  }
  const blob = async () => new Blob([Uint8Array.from(await png())])
  const malformed = { status: 400, body: { codigo: 'requisicao_invalida' } }

  test('POST /anexos with a malformed form refuses another content type', async () => {
    const answer = {
      status: 415,
      body: { codigo: 'formato_nao_suportado', detail: expect.stringMatching(/formulário/) },
    }
    expect(await clinician.post('/anexos', attachmentDraft)).toMatchObject(answer)
    expect(await post('titulo_anexo=a', 'application/x-www-form-urlencoded')).toMatchObject(answer)
    expect(await post('x', 'text/plain')).toMatchObject(answer)
    expect(await post('', 'text/plain')).toMatchObject(answer)
    expect(
      await clinician.post('/prontuarios', 'x', { 'content-type': 'multipart/form-data; boundary=x' }),
    ).toMatchObject({ status: 415 })
  })

  test('POST /anexos with a malformed form refuses a form without boundary, without end, empty, or with other bytes', async () => {
    const { type, bytes } = await whole({ bytes: await png(), name: 'a.png' })
    expect(await post(bytes, 'multipart/form-data')).toMatchObject(malformed)
    expect(await post(bytes.subarray(0, -20), type)).toMatchObject(malformed)
    expect(await post(bytes.subarray(0, bytes.indexOf('PNG') + 10), type)).toMatchObject(malformed)
    expect(await post('lixo', type)).toMatchObject(malformed)
    // A valid form without fields; the schema refuses it.
    expect(await post('', type)).toMatchObject({ status: 422 })
  })

  test('POST /anexos with a malformed form refuses two files, or a file in another field', async () => {
    const file = await blob()
    expect(await withParts((form) => form.append('arquivo', file, 'b.png'))).toMatchObject(malformed)
    expect(await withParts((form) => form.append('outro', file, 'b.png'))).toMatchObject(malformed)
    expect(await withParts((form) => form.append('titulo_anexo', file, 'b.png'), false)).toMatchObject(
      malformed,
    )
    expect(
      await withParts((form) => {
        for (let i = 0; i < 5; i += 1) form.append('arquivo', file, 'b.png')
      }),
    ).toMatchObject(malformed)
  })

  test('POST /anexos with a malformed form refuses text in place of the file, a repeated field, and names of Object.prototype', async () => {
    expect(await withParts((form) => form.append('arquivo', 'texto'), false)).toMatchObject(malformed)
    expect(await withParts((form) => form.append('titulo_anexo', 'Outro'))).toMatchObject(malformed)
    expect(await withParts((form) => form.append('__proto__', 'x'))).toMatchObject(malformed)
    expect(await withParts((form) => form.append('toString', 'x'))).toMatchObject(malformed)
  })

  test('POST /anexos with a malformed form refuses too many fields, and one that is too long', async () => {
    const tooLarge = { status: 413, body: { codigo: 'corpo_grande_demais' } }
    expect(
      await withParts((form) => {
        for (let i = 0; i < 50; i += 1) form.append(`campo${i}`, 'x')
      }),
    ).toMatchObject(tooLarge)
    expect(await withParts((form) => form.append('mais', 'x'.repeat(20_000)))).toMatchObject(tooLarge)
    expect(await withParts((form) => form.append('n'.repeat(200), 'x'))).toMatchObject(tooLarge)
  })

  test('POST /anexos with a malformed form answers each invalid field with its message', async () => {
    const file = { bytes: await png(), name: 'a.png' }
    const answer = await clinician.upload('/anexos', formOf({ titulo_anexo: ' ', tipo_anexo: 'GIF' }, file))
    expect(answer).toMatchObject({
      status: 422,
      body: {
        codigo: 'campos_invalidos',
        campos: {
          titulo_anexo: 'Campo obrigatório',
          tipo_anexo: 'Escolha IMG ou PDF.',
          descricao_anexo: 'Campo obrigatório',
        },
      },
    })
  })
})

test('the reader of forms accepts the form that a browser sends when no file is chosen', async () => {
  const form = formOf(attachmentDraft)
  form.append('arquivo', new Blob([]), '')
  expect(await clinician.upload('/anexos', form)).toMatchObject({ status: 201, body: { imagem_anexo: null } })
})

test('the OpenAPI description names the fields of the form', async () => {
  const { body } = await app.anonymous.get('/openapi.json')
  const { content } = body.paths['/api/anexos'].post.requestBody
  expect(Object.keys(content)).toEqual(['multipart/form-data'])
  expect(content['multipart/form-data'].schema).toMatchObject({
    properties: { arquivo: { type: 'string', format: 'binary' }, titulo_anexo: { type: 'string' } },
    required: ['titulo_anexo', 'tipo_anexo', 'descricao_anexo'],
  })
})
