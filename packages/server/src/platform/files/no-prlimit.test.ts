import { Writable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { attachmentDraft, tinyPng } from '../../../test/clinical/attachments.ts'
import { writtenPdf } from '../../../test/clinical/pdfs.ts'
import { formOf } from '../../../test/multipart.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'
import { buildApp } from '../../app.ts'

/* On a Linux without `prlimit`, processes that parse uploads cannot be cut off from the network. */

let server: Awaited<ReturnType<typeof buildApp>>
let token: string
let lines: string[] = []
const logTo = new Writable({
  write(chunk, _encoding, done) {
    lines.push(String(chunk))
    done()
  },
})
const app = useTestApp({}, { resets: false })
beforeAll(async () => {
  token = (await app.as(await createUser(app, { acessoProntuario: true }))).token
  const config = { ...app.services.config, logLevel: 'warn' as const }
  server = await buildApp({ ...app.services, config }, { logTo })
})
beforeEach(async () => {
  lines = []
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await server.close()
})

const send = async (bytes: Uint8Array, name: string, tipo_anexo: string) => {
  const body = new Response(formOf({ ...attachmentDraft, tipo_anexo }, { bytes, name }))
  const answer = await server.inject({
    method: 'POST',
    url: '/api/anexos',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': body.headers.get('content-type') ?? '',
    },
    payload: Buffer.from(await body.arrayBuffer()),
  })
  return [answer.statusCode, answer.json().codigo, answer.json().detail]
}
const sendPdf = () => send(writtenPdf(), 'laudo.pdf', 'PDF')
const sendImage = async () => send(await tinyPng, 'raio-x.png', 'IMG')

const refused = [
  503,
  'servico_indisponivel',
  'O arquivo não pôde ser conferido, porque falta um programa no servidor. Avise o administrador.',
]

describe.skipIf(process.platform !== 'linux')('POST /anexos on a Linux without prlimit', () => {
  test.each([
    ['a PDF', sendPdf],
    ['an image', sendImage],
  ])(
    'POST /anexos on a Linux without prlimit refuses %s, and the log names the missing package',
    async (_, sendFile) => {
      expect((await sendFile())[0]).toBe(201)
      vi.stubEnv('PATH', '/nowhere')
      // The process that is already started for an image is contained, so it accepts one more.
      if (sendFile === sendImage) await sendFile()
      lines = []
      expect(await sendFile()).toEqual(refused)
      expect(lines).toEqual([
        expect.stringMatching(/"level":"error",.*prlimit.* is missing: install the package util-linux/),
      ])
      vi.unstubAllEnvs()
      expect((await sendFile())[0]).toBe(201)
    },
  )
})
