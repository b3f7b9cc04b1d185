import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { processesOf } from '@bi-manager/telemetry/test/child-processes'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { attachmentDraft } from '../../../../test/clinical/attachments.ts'
import { formOf } from '../../../../test/multipart.ts'
import { startTestApp, type TestApp } from '../../../../test/test-app.ts'
import { createUser } from '../../../../test/users.ts'
import { BROKEN, TOO_HEAVY } from './draw-image.ts'
import { createImageRedrawer } from './draw-upload.ts'

const small = sharp({ create: { width: 30, height: 20, channels: 3, background: '#036' } })
  .png()
  .toBuffer()

/** A drawer whose process does this with its image. */
const drawerOf = async (body: string, options = {}) => {
  const folder = await mkdtemp(join(tmpdir(), 'drawer-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const program = join(folder, 'program.mjs')
  const answering = import.meta.resolve('@bi-manager/telemetry/answer-contained')
  await writeFile(
    program,
    `import { answerContained } from '${answering}'
     await answerContained(({ upload }) => { ${body} })`,
  )
  return createImageRedrawer({ program, graceMs: 5_000, ...options })
}
const signature = "Buffer.from('\\x89PNG\\r\\n\\x1a\\n', 'latin1')"
const answerPid = `return { bytes: Buffer.concat([${signature}, Buffer.from(String(process.pid))]), format: 'png' }`

describe('a drawer', () => {
  test('a drawer gives each image its own process, and ends an unused one after its idle time', async () => {
    const draw = await drawerOf(answerPid, { aheadMs: 200 })
    const pids: number[] = []
    for (let n = 0; n < 3; n += 1) pids.push(Number((await draw(await small, 'logo')).bytes.subarray(8)))
    expect(new Set(pids).size).toBe(3)
    await expect.poll(() => pids.some(isAlive), { timeout: 5_000 }).toBe(false)
    await expect.poll(() => processesOf('program.mjs'), { timeout: 5_000 }).toEqual([])
  })

  test('a drawer draws an image although the process started ahead has died', async () => {
    const draw = await drawerOf(answerPid)
    await draw(await small, 'logo')
    await expect.poll(() => processesOf('program.mjs'), { timeout: 5_000 }).toHaveLength(1)
    for (const pid of await processesOf('program.mjs')) process.kill(pid, 'SIGKILL')
    await expect.poll(() => processesOf('program.mjs'), { timeout: 5_000 }).toEqual([])
    expect((await draw(await small, 'logo')).format).toBe('png')
  })

  test('a drawer draws an image of 30 megapixels, for which libvips would use a temporary file', {
    timeout: 120_000,
  }, async () => {
    const large = sharp({ create: { width: 5_500, height: 5_500, channels: 4, background: '#03698880' } })
    expect((await createImageRedrawer()(await large.webp().toBuffer(), 'attachment')).format).toBe('webp')
  })

  test('a drawer refuses a rotated lossless WebP of 50 megapixels that takes more than a gigabyte', {
    timeout: 240_000,
  }, async () => {
    const [width, height] = [8_000, 6_250]
    const pixels = Buffer.alloc(width * height * 4)
    for (let n = 0; n < pixels.length; n += 1) pixels[n] = 64 | ((Math.imul(n, 2_654_435_761) >>> 13) & 7)
    const upload = await sharp(pixels, { raw: { width, height, channels: 4 } })
      .withMetadata({ orientation: 6 })
      .webp({ lossless: true, exact: true, effort: 0 })
      .toBuffer()
    expect(upload.length).toBeLessThan(10_000_000)
    await expect(createImageRedrawer()(upload, 'attachment')).rejects.toMatchObject({ message: TOO_HEAVY })
    expect((await createImageRedrawer()(await small, 'attachment')).format).toBe('png')
  })

  test('a drawer keeps the reason of a refusal for the log', async () => {
    const whole = await sharp(await small)
      .jpeg()
      .toBuffer()
    await expect(createImageRedrawer()(whole.subarray(0, -200), 'logo')).rejects.toMatchObject({
      name: 'RefusedImage',
      cause: { message: expect.stringMatching(/jpeg/i) },
    })
  })

  test('a drawer refuses an image that crashes its process, and draws the next', async () => {
    const draw = await drawerOf(`if (upload.length) process.abort(); ${answerPid}`)
    await expect(draw(await small, 'logo')).rejects.toMatchObject({
      name: 'RefusedImage',
      message: expect.stringMatching(/incompleta ou corrompida/),
      cause: { message: 'program.mjs (code null, signal SIGABRT): it ended without an answer' },
    })
    expect((await draw(Buffer.alloc(0), 'logo')).format).toBe('png')
  })

  test('a drawer refuses an image that takes too long, and draws the next', async () => {
    const draw = await drawerOf(`if (upload.length) for (;;); ${answerPid}`, { graceMs: -4_000 })
    await expect(draw(await small, 'logo')).rejects.toMatchObject({
      name: 'RefusedImage',
      message: TOO_HEAVY,
      cause: { message: 'program.mjs (code null, signal SIGKILL): it was out of time' },
    })
    expect((await draw(Buffer.alloc(0), 'logo')).format).toBe('png')
  })

  test.each([
    ['another word', "'loaded'"],
    ['nothing', 'null'],
    ['an empty answer', '{}'],
    ['a text as the bytes', "{ bytes: '<html>', format: 'png' }"],
    ['a page as a PNG', "{ bytes: Buffer.from('<html>'), format: 'png' }"],
    ['a PNG as a JPEG', `{ bytes: ${signature}, format: 'jpeg' }`],
    ['an unsupported format', `{ bytes: ${signature}, format: 'svg' }`],
    ['an answer with another field', `{ bytes: ${signature}, format: 'png', more: 1 }`],
    ['a refusal that is not text', '{ refusal: { text: 1 } }'],
    ['a refusal of a megabyte', "{ refusal: 'x'.repeat(1e6) }"],
  ])('a drawer refuses the image when its process answers %s', async (_, answer) => {
    const draw = await drawerOf(`return ${answer}`)
    await expect(draw(await small, 'logo')).rejects.toMatchObject({
      name: 'RefusedImage',
      message: BROKEN,
      cause: { fault: 'malformed' },
    })
  })

  test('a drawer returns the format of the drawn image', async () => {
    expect((await createImageRedrawer()(await small, 'logo')).format).toBe('webp')
    expect((await createImageRedrawer()(await small, 'attachment')).format).toBe('png')
  })

  test('a drawer answers 503 when its process fails, whatever the image', async () => {
    const draw = await drawerOf("throw new Error('no sharp')")
    await expect(draw(await small, 'logo')).rejects.toMatchObject({
      codigo: 'servico_indisponivel',
      message: expect.stringMatching(/não pôde ser conferida agora/),
      cause: { message: expect.stringMatching(/no sharp$/) },
    })
  })
})

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

describe('POST /anexos', () => {
  let app: TestApp
  let clinician: Awaited<ReturnType<TestApp['as']>>
  beforeAll(async () => {
    app = await startTestApp()
    clinician = await app.as(await createUser(app, { acessoProntuario: true }))
  })
  afterAll(() => app.close())
  const send = (bytes: Uint8Array) =>
    clinician.upload('/anexos', formOf(attachmentDraft, { bytes, name: 'exame.png', type: 'image/png' }))

  test('POST /anexos survives an image that crashes the decoder', async () => {
    expect((await send(await small)).status).toBe(201)
    // One process waits for the next attachment; others may remain from earlier tests.
    const pids = await processesOf('image-process.ts')
    const limitsOf = (pid: number) => readFile(`/proc/${pid}/limits`, 'utf8')
    // From then on they wait for an image.
    for (const pid of pids) await expect.poll(() => limitsOf(pid)).toMatch(/Max open files +0 +0 /)
    const command = await readFile(`/proc/${pids[0]}/cmdline`, 'utf8')
    const signal = (name: NodeJS.Signals) => {
      for (const id of pids) process.kill(id, name)
    }
    // Stopped while it works, it is killed by the signal of an invalid memory access.
    signal('SIGSTOP')
    const answering = send(await small)
    await sleep(2_000)
    signal('SIGSEGV')
    signal('SIGCONT')
    const { status, body } = await answering
    expect([status, body.detail]).toEqual([
      415,
      'A imagem está incompleta ou corrompida. Salve-a de novo e envie.',
    ])
    expect((await send(await small)).status).toBe(201)
    expect(command).toContain('--permission')
  })
})
