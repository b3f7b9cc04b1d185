import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { attachmentDraft } from '../../test/attachments.ts'
import { formOf } from '../../test/multipart.ts'
import { startTestApp, type TestApp } from '../../test/test-app.ts'
import { createUser } from '../../test/users.ts'
import { createDrawer } from './draw-upload.ts'

const small = sharp({ create: { width: 30, height: 20, channels: 3, background: '#036' } })
  .png()
  .toBuffer()

/** A drawer whose process runs this program, after it has said that it is loaded. */
const drawerOf = async (program: string, options = {}) => {
  const folder = await mkdtemp(join(tmpdir(), 'drawer-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'program.mjs'), program)
  return createDrawer({ program: join(folder, 'program.mjs'), graceMs: 5_000, ...options })
}
const loaded = "process.on('disconnect', () => process.exit()); process.send('loaded');"
const answerPid = "process.send({ bytes: Buffer.from(String(process.pid)), format: 'png' })"

describe('a drawer', () => {
  test('keeps its process for the next image, and ends it when it is idle', async () => {
    const draw = await drawerOf(`${loaded} process.on('message', () => ${answerPid})`, { idleMs: 200 })
    const pids: string[] = []
    for (let n = 0; n < 3; n += 1) pids.push(String((await draw(await small, 'logo')).bytes))
    expect(new Set(pids).size).toBe(1)
    await expect.poll(() => isAlive(Number(pids[0])), { timeout: 5_000 }).toBe(false)
    expect(String((await draw(await small, 'logo')).bytes)).not.toBe(pids[0])
  })

  test('refuses the image that crashes its process, and draws the next', async () => {
    const draw = await drawerOf(
      `${loaded} process.on('message', ({ upload }) => upload.length ? process.abort() : ${answerPid})`,
    )
    await expect(draw(await small, 'logo')).rejects.toMatchObject({
      name: 'RefusedImage',
      message: expect.stringMatching(/incompleta ou corrompida/),
      cause: { message: 'The image process ended (code null, signal SIGABRT).' },
    })
    expect((await draw(Buffer.alloc(0), 'logo')).format).toBe('png')
  })

  test('refuses the image that takes too long, and draws the next', async () => {
    const draw = await drawerOf(
      `${loaded} process.on('message', ({ upload }) => { if (upload.length) for (;;); ${answerPid} })`,
      { graceMs: -4_000 },
    )
    await expect(draw(await small, 'logo')).rejects.toMatchObject({
      name: 'RefusedImage',
      cause: { message: 'The image process ended (code null, signal SIGKILL).' },
    })
    expect((await draw(Buffer.alloc(0), 'logo')).format).toBe('png')
  })

  test.each([
    ['does not load', 'process.exit(3)', /\(code 3, signal null\): it did not load$/],
    [
      'says that it failed',
      `${loaded} process.on('message', () => process.send({ failure: 'no sharp' }))`,
      /no sharp$/,
    ],
  ])('answers 503 when its process %s', async (_, program, reason) => {
    const draw = await drawerOf(program)
    await expect(draw(await small, 'logo')).rejects.toMatchObject({
      codigo: 'servico_indisponivel',
      message: expect.stringMatching(/não pôde ser conferida agora/),
      cause: { message: expect.stringMatching(reason) },
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

/** The processes that this one has started to draw images. */
const imageProcesses = async (): Promise<number[]> => {
  const found: number[] = []
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid)) continue
    const [stat, command] = await Promise.all(
      ['stat', 'cmdline'].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')),
    )
    const [, parent] = /\) \S (\d+)/.exec(stat ?? '') ?? []
    if (Number(parent) === process.pid && command?.includes('image-process.ts')) found.push(Number(pid))
  }
  return found
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

  test('survives an image that crashes the decoder', async () => {
    expect((await send(await small)).status).toBe(201)
    // One of them draws attachments; another may draw logos for an earlier test file.
    const pids = await imageProcesses()
    const [pid = 0] = pids
    const [limits, command] = await Promise.all(
      ['limits', 'cmdline'].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8')),
    )
    const signal = (name: NodeJS.Signals) => {
      for (const id of pids) process.kill(id, name)
    }
    // Stopped while it works, it dies of what a decoder gets that reads beyond its memory.
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
    expect(limits).toMatch(/Max open files +0 +0 /)
  })
})
