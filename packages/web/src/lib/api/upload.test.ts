import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ApiProblem, AttachmentDraft, endpoint, z } from '@bi-manager/contract'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { signedInUntil } from '../../../test/token.ts'
import { choosePurpose } from '../session/purpose.ts'
import { currentSession, startSession } from '../session/session.ts'
import { messageOf } from './api.ts'
import { isReachable, setReachable } from './connection.ts'
import { upload } from './upload.ts'

const create = endpoint({
  method: 'POST',
  url: '/anexos',
  permission: 'records:access',
  tag: 'teste',
  summary: 'Guarda',
  body: AttachmentDraft,
  file: 'arquivo',
  response: { 201: z.object({ id: z.number() }) },
})

let server: Server
let answer: { status: number; body: unknown; headers?: Record<string, string> }
let heard: { request: IncomingMessage; body: string } | undefined
/** True: the server does not answer until the caller aborts. */
let isSilent: boolean
let onHeard: () => void

beforeEach(async () => {
  setReachable(true)
  onHeard = () => undefined
  ;[answer, heard, isSilent] = [{ status: 201, body: { id: 12 } }, undefined, false]
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    heard = { request, body: Buffer.concat(chunks).toString('latin1') }
    if (isSilent) return
    onHeard()
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
    response.end(JSON.stringify(answer.body))
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  window.location.href = `http://127.0.0.1:${port}/`
  startSession(signedInUntil(Date.now() + 600_000))
  choosePurpose('atendimento')
})
afterEach(() => {
  server.closeAllConnections()
  server.close()
})

const input = () => ({
  body: { titulo_anexo: 'Radiografia', tipo_anexo: 'IMG' as const, descricao_anexo: 'Joelho' },
  file: new File(['bytes'], 'exame.png', { type: 'image/png' }),
})
const problem = (codigo: string) => ({
  type: 'about:blank',
  title: codigo,
  detail: 'Este arquivo não pode ser guardado.',
  codigo,
  idRequisicao: '1',
})

test('upload sends fields and file with the headers of every call, including the purpose', async () => {
  await expect(upload(create, input())).resolves.toEqual({ id: 12 })
  expect(heard?.request.headers).toMatchObject({
    authorization: `Bearer ${currentSession()?.access_token}`,
    scope: 'backoffice',
    usuario_id: '1',
    client_id: '1',
    'x-finalidade': 'Atendimento',
    'content-type': expect.stringMatching(/^multipart\/form-data; boundary=/),
  })
  // Text fields precede the file: the server knows them before it reads the file.
  expect(heard?.body).toMatch(
    /name="titulo_anexo"\s+Radiografia[\s\S]+name="arquivo"; filename="exame\.png"[\s\S]+bytes/,
  )
})

test("upload rejects with the server's problem", async () => {
  answer = {
    status: 415,
    body: { ...problem('arquivo_recusado'), status: 415 },
    headers: { 'retry-after': '7' },
  }
  const refusal = await upload(create, input()).catch((error: unknown) => error)
  expect(refusal).toBeInstanceOf(ApiProblem)
  expect(refusal).toMatchObject({ status: 415, codigo: 'arquivo_recusado', retryAfter: 7 })
  expect(currentSession()).toBeDefined()
})

test('upload ends the session after a 401', async () => {
  answer = { status: 401, body: { ...problem('sessao_encerrada'), status: 401 } }
  await expect(upload(create, input())).rejects.toMatchObject({ status: 401 })
  expect(currentSession()).toBeUndefined()
})

test('upload aborts the call on cancellation', async () => {
  isSilent = true
  const cancelling = new AbortController()
  const sending = upload(create, input(), { signal: cancelling.signal })
  await vi.waitFor(() => expect(heard).toBeDefined())
  cancelling.abort()
  await expect(sending).rejects.toMatchObject({ name: 'AbortError' })
  await expect(upload(create, input(), { signal: cancelling.signal })).rejects.toMatchObject({
    name: 'AbortError',
  })
})

test('the message blames the connection when the server is unreachable', async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  const error = await upload(create, input()).catch((reason: unknown) => reason)
  expect(messageOf(error)).toMatch(/^Não foi possível falar com o servidor\./)
})

test('an answer after the network loss does not report the server as reachable', async () => {
  onHeard = () => window.dispatchEvent(new Event('offline'))
  await upload(create, input())
  expect(isReachable()).toBe(false)
  onHeard = () => undefined
  await upload(create, input())
  expect(isReachable()).toBe(true)
})
