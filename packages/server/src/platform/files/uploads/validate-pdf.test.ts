import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { drawnPdf, streamOf, writtenPdf } from '../../../../test/clinical/pdfs.ts'
import { processesOf } from '../../../../test/processes/child-processes.ts'
import { BROKEN } from './refused-pdf.ts'
import { validateFile } from './validate-file.ts'
import { validatePdf } from './validate-pdf.ts'

/** A PDF with an object stream in which so many objects begin at the same long list. */
const slowPdf = (objects: number): Buffer => {
  const head = '9 0 '.repeat(objects)
  const list = `[${'0 '.repeat(50_000)}]`
  const dictionary = `/Type /ObjStm /N ${objects} /First ${head.length} /Filter /FlateDecode`
  return writtenPdf({ objects: [streamOf(dictionary, deflateSync(Buffer.from(head + list)))] })
}

const refusal = (sentence: RegExp) => ({
  codigo: 'arquivo_recusado',
  message: expect.stringMatching(sentence),
})

test('validatePdf takes an honest PDF', async () => {
  const honest = await drawnPdf((document) => document.text('Laudo: sem alterações.'))
  await expect(validatePdf(honest)).resolves.toBeUndefined()
})

test('validatePdf says why it refuses one', async () => {
  const active = writtenPdf({ catalog: '/OpenAction << /S /JavaScript /JS (x) >>' })
  await expect(validatePdf(active)).rejects.toMatchObject(refusal(/^O PDF traz um script/))
})

test('validatePdf gives up on one that takes too long', async () => {
  const slow = slowPdf(100_000)
  await expect(validatePdf(slow, { timeMs: 1_500 })).rejects.toMatchObject({
    ...refusal(/complexo demais/),
    cause: { message: 'The validation of PDFs was out of time (code null, signal SIGKILL).' },
  })
})

test('validatePdf gives up on one that takes too much memory', async () => {
  // A row of the table so wide that it is held as bytes until its first entry is read.
  const dictionary = '/Type /XRef /Size 1 /W [1 4 250000000] /Root 1 0 R /Filter /FlateDecode'
  const start = Buffer.from('%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n')
  const table = streamOf(dictionary, deflateSync(Buffer.alloc(250_000_000, 1), { level: 1 }))
  const bomb = Buffer.concat([
    start,
    Buffer.from('2 0 obj\n'),
    table,
    Buffer.from(`\nendobj\nstartxref\n${start.length}\n%%EOF`),
  ])
  await expect(validatePdf(bomb, { timeMs: 120_000 })).rejects.toMatchObject({
    ...refusal(/complexo demais/),
    cause: { message: 'The validation of PDFs was out of memory (code null, signal SIGKILL).' },
  })
})

test.runIf(process.platform === 'linux')('a PDF is read in a contained process', async () => {
  vi.stubEnv('BI_MANAGER_PROBE', 'of the portal')
  onTestFinished(() => void vi.unstubAllEnvs())
  // A process that an earlier test killed may take a moment to end.
  await expect.poll(() => processesOf('pdf-validation-process.ts')).toEqual([])
  const slow = slowPdf(100_000)
  const validating = validatePdf(slow, { timeMs: 15_000 }).catch((error: unknown) => error)
  await expect.poll(() => processesOf('pdf-validation-process.ts')).toHaveLength(1)
  const [pid = 0] = await processesOf('pdf-validation-process.ts')
  const toldBy = (file: string) => readFile(`/proc/${pid}/${file}`, 'utf8')
  await expect.poll(() => toldBy('limits'), { timeout: 10_000 }).toMatch(/Max open files +0 +0 /)
  const options = (await toldBy('cmdline')).split('\0').filter((word) => word.startsWith('--'))
  const reads = options.filter((option) => option.startsWith('--allow-fs-read='))
  expect(options.filter((option) => !reads.includes(option))).toEqual(['--permission', '--allow-worker'])
  for (const option of reads) {
    expect(option).toMatch(/\/(packages\/server\/src\/|node_modules\/|package\.json)$/)
  }
  expect(await toldBy('environ')).not.toContain('BI_MANAGER_PROBE')
  process.kill(pid, 'SIGKILL')
  expect(await validating).toMatchObject({ codigo: 'servico_indisponivel' })
})

test.runIf(process.platform === 'linux')('one that is slow does not hold up another', async () => {
  await expect.poll(() => processesOf('pdf-validation-process.ts')).toEqual([])
  const validating = validateFile(slowPdf(100_000)).catch((error: unknown) => error)
  await validateFile(writtenPdf())
  const [pid = 0, ...others] = await processesOf('pdf-validation-process.ts')
  expect(others).toEqual([])
  // Signals to 0 end the tests themselves.
  expect(pid).toBeGreaterThan(0)
  process.kill(pid, 'SIGKILL')
  expect(await validating).toMatchObject({ codigo: 'servico_indisponivel' })
})

describe('a process that a PDF has taken over', () => {
  test.each([
    ['nothing', 'null'],
    ['a word', "'good'"],
    ['a list', '[]'],
    ['an unknown field', '{ good: true }'],
    ['a refusal that is no text', '{ refusal: { text: 1 } }'],
    ['a refusal of a megabyte', "{ refusal: 'x'.repeat(1e6) }"],
    ['an unknown limit', "{ limit: 'patience' }"],
    ['a failure that is no text', '{ failure: 5 }'],
    ['a copy that is no bytes', "{ decrypted: 'x' }"],
    ['a copy of 21 MB', '{ decrypted: new Uint8Array(21 * 1024 * 1024) }'],
  ])(
    'a process that a PDF has taken over is not believed when it says %s, and a good verdict after it changes nothing',
    async (_, said) => {
      const folder = await mkdtemp(join(tmpdir(), 'validation-'))
      onTestFinished(() => rm(folder, { recursive: true }))
      const file = join(folder, 'validation.mjs')
      const program = `process.on('message', () => { process.send(${said}); process.send({}, () => process.exit()) })`
      await writeFile(file, `${program}; process.send('loaded')`)
      await expect(validatePdf(writtenPdf(), { program: file })).rejects.toMatchObject({
        codigo: 'arquivo_recusado',
        message: BROKEN,
        cause: { message: 'The validation of PDFs sent a malformed verdict.' },
      })
    },
  )
})

test('a copy is checked as any PDF, so another copy of it is refused', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'validation-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'validation.mjs')
  const program =
    "process.on('message', () => process.send({ decrypted: new Uint8Array(9) }, () => process.exit()))"
  await writeFile(file, `${program}; process.send('loaded')`)
  await expect(validatePdf(writtenPdf(), { program: file })).rejects.toMatchObject(
    refusal(/protegido por senha/),
  )
})

describe('a process that does not work says nothing of the PDF', () => {
  test.each([
    ['is not there', null, /\(code 1, signal null\): it said nothing$/],
    ['ends without a word', 'process.exit(3)', /\(code 3, signal null\): it said nothing$/],
    [
      'says that it failed',
      "process.send({ failure: 'no pdf.js' }, () => process.exit())",
      /\(code 0, signal null\): no pdf\.js$/,
    ],
  ])('a process that %s says nothing of the PDF', async (_, program, reason) => {
    const file = join(await mkdtemp(join(tmpdir(), 'validation-')), 'validation.mjs')
    if (program) await writeFile(file, program)
    await expect(validatePdf(writtenPdf(), { program: file })).rejects.toMatchObject({
      codigo: 'servico_indisponivel',
      status: 503,
      message: expect.stringMatching(/não pôde ser conferido agora/),
      cause: { message: expect.stringMatching(reason) },
    })
    await rm(dirname(file), { recursive: true })
  })
})
