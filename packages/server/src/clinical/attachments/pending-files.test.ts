import { randomUUID } from 'node:crypto'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { attachmentDraft } from '../../../test/clinical/attachments.ts'
import { countStoredAttachments } from '../../../test/clinical/kept-files.ts'
import { letTimePass } from '../../../test/let-time-pass.ts'
import { formOf, multipartOf } from '../../../test/multipart.ts'
import { startS3 } from '../../../test/stand-ins/s3-server.ts'
import { startTestApp, type TestApp } from '../../../test/test-app.ts'
import { createUser } from '../../../test/users.ts'
import { startFileTidying, tidyFiles } from './tidy-files.job.ts'
import { storeUploadedFile } from './uploaded-files.ts'

const lines: string[] = []
const log = pino(
  { level: 'warn' },
  new Writable({
    write: (line, _encoding, done) => {
      lines.push(String(line))
      done()
    },
  }),
)

const bytes = sharp({ create: { width: 40, height: 30, channels: 3, background: '#036' } })
  .png()
  .toBuffer()
const form = async () => formOf(attachmentDraft, { bytes: await bytes, name: 'a.png' })
const minutes = 60_000

describe.each(['disk', 'S3'])('pending files in the %s store', (kind) => {
  let app: TestApp
  let s3: Awaited<ReturnType<typeof startS3>> | undefined
  let clinician: Awaited<ReturnType<TestApp['as']>>
  beforeAll(async () => {
    s3 = kind === 'S3' ? await startS3() : undefined
    app = await startTestApp(s3?.settings)
  })
  afterAll(async () => {
    await app.close()
    await s3?.close()
  })
  beforeEach(async () => {
    await app.reset()
    for (const name of (await s3?.names()) ?? []) await app.services.files.delete(name)
    lines.length = 0
    clinician = await app.as(await createUser(app, { acessoProntuario: true }))
  })
  const kept = async () => ({
    ...(await countStoredAttachments(app)),
    ...(s3 ? { files: (await s3.names()).length } : {}),
  })
  const leaveOne = async (ageMs = 0): Promise<string> => {
    const arquivo = randomUUID()
    const criadoEm = new Date(Date.now() - ageMs)
    await app.db.insertInto('arquivoPendente').values({ arquivo, criadoEm }).execute()
    await app.services.files.put(arquivo, Buffer.from('left'))
    return arquivo
  }

  test('an upload is stored encrypted and can be decrypted', async () => {
    const before = (await kept()).files
    const sent = await clinician.upload('/anexos', await form())
    expect(sent.status).toBe(201)
    expect(await kept()).toEqual({ files: before + 1, rows: 1, pending: 0 })
    const { arquivo } = await app.db.selectFrom('anexo').select('arquivo').executeTakeFirstOrThrow()
    const stored = await app.services.files.get(String(arquivo))
    expect(stored?.includes('PNG')).toBe(false)
    const file = await clinician.download(`/anexos/${sent.body.id}/arquivo`)
    expect(await sharp(file.bytes).metadata()).toMatchObject({ format: 'png', width: 40 })
    await app.services.files.delete(String(arquivo))
  })

  test('only old pending files are deleted; recent ones may still be in upload', async () => {
    const [old, recent] = [await leaveOne(11 * minutes), await leaveOne(9 * minutes)]
    await tidyFiles(app.services, log)
    expect(await app.services.files.get(old)).toBeUndefined()
    expect(await app.services.files.get(recent)).toBeDefined()
    const left = await app.db.selectFrom('arquivoPendente').select('arquivo').execute()
    expect(left).toEqual([{ arquivo: recent }])
    await app.services.files.delete(recent)
  })

  test('an upload under way keeps its file when the clock of its node is behind', async () => {
    const services = { ...app.services, now: () => new Date(Date.now() - 11 * minutes) }
    const { arquivo } = await storeUploadedFile(services, Buffer.from('under way'), {
      id: 1,
      beneficiario: null,
    })
    await tidyFiles(app.services, log)
    expect(await app.services.files.get(arquivo)).toBeDefined()
    await app.services.files.delete(arquivo)
  })

  test('a starting server deletes every pending file when no other server uses its database', async () => {
    const recent = await leaveOne(1 * minutes)
    // As a server with this database is configured.
    const config = { ...app.services.config, databaseUrl: app.databaseUrl }
    const tidying = await startFileTidying({ ...app.services, config }, log)
    await tidying.stop()
    const isAlone = app.databaseUrl === undefined
    expect((await app.services.files.get(recent)) === undefined).toBe(isAlone)
    expect((await kept()).pending).toBe(isAlone ? 0 : 1)
    expect(lines).toEqual([])
    await app.services.files.delete(recent)
  })

  test('an upload that takes too long is refused and its file deleted later', async () => {
    const { files } = app.services
    const slow = await app.anotherServer({
      files: {
        ...files,
        put: async (name, encrypted) => {
          await files.put(name, encrypted)
          await letTimePass(app, 6 * minutes)
        },
      },
    })
    const { bytes: payload, type } = await multipartOf(await form())
    const answer = await slow.inject({
      method: 'POST',
      url: '/api/anexos',
      headers: { authorization: `Bearer ${clinician.token}`, 'content-type': type },
      payload,
    })
    expect(answer.statusCode).toBe(503)
    expect(await kept()).toMatchObject({ rows: 0, pending: 1 })
    await letTimePass(app, 5 * minutes)
    await tidyFiles(app.services, log)
    expect(await kept()).toMatchObject({ rows: 0, pending: 0 })
    await slow.close()
  })

  test.runIf(kind === 'S3')(
    'a store that fails during an upload answers 503, and the file is deleted once it is back',
    async () => {
      if (!s3) return
      const sent = await clinician.upload('/anexos', await form())
      const gone = s3
      gone.server().prependOnceListener('request', (request) => request.socket.destroy())
      const unavailable = { status: 503, body: { codigo: 'armazenamento_indisponivel' } }
      const before = (await kept()).files
      expect(await clinician.upload('/anexos', await form())).toMatchObject(unavailable)
      await gone.stop()
      expect(await clinician.upload('/anexos', await form())).toMatchObject(unavailable)
      expect(await clinician.get(`/anexos/${sent.body.id}/arquivo`)).toMatchObject(unavailable)
      // Whether the first file was stored is unknown; usually it was.
      expect(await kept()).toMatchObject({ rows: 1, pending: 2 })

      await letTimePass(app, 11 * minutes)
      await tidyFiles(app.services, log)
      expect((await kept()).pending).toBe(2)
      expect(lines.join()).toMatch(/could not be deleted/)
      const starting = await startFileTidying(app.services, log)
      await starting.stop()
      expect(lines.join()).toMatch(/cannot be used/)
      expect(lines.join()).not.toMatch(/Signature|S3RVER/)

      await gone.restart()
      await tidyFiles(app.services, log)
      expect(await kept()).toEqual({ files: before, rows: 1, pending: 0 })
      expect((await clinician.get(`/anexos/${sent.body.id}/arquivo`)).status).toBe(200)
    },
  )
})
