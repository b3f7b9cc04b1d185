import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { processesOf } from '@bi-manager/telemetry/test/child-processes'
import { expect, onTestFinished, test, vi } from 'vitest'
import { drawnPdf, streamOf, writtenPdf } from '../../../../test/clinical/pdfs.ts'
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
    cause: { message: 'pdf-validation-process.ts (code null, signal SIGKILL): it was out of time' },
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
    cause: { message: 'pdf-validation-process.ts (code null, signal SIGKILL): it was out of memory' },
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
  expect(options.filter((option) => !reads.includes(option))).toEqual([
    '--permission',
    '--max-old-space-size=256',
  ])
  for (const option of reads) {
    expect(option).toMatch(/\/(packages\/\w+\/src\/|node_modules\/|package\.json)$/)
  }
  expect(await toldBy('environ')).not.toContain('BI_MANAGER_PROBE')
  // As Linux does when the machine runs out of memory.
  process.kill(pid, 'SIGKILL')
  expect(await validating).toMatchObject(refusal(/complexo demais/))
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
  expect(await validating).toMatchObject(refusal(/complexo demais/))
})

/** Returns a program that does this with its PDF. */
const programOf = async (body: string) => {
  const folder = await mkdtemp(join(tmpdir(), 'validation-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const program = join(folder, 'validation.mjs')
  const answering = import.meta.resolve('@bi-manager/telemetry/answer-contained')
  await writeFile(
    program,
    `import { answerContained } from '${answering}'
     await answerContained(() => { ${body} })`,
  )
  return program
}

test.each([
  ['nothing', 'null'],
  ['a word', "'good'"],
  ['a list', '[]'],
  ['an unknown field', '{ good: true }'],
  ['a refusal that is no text', '{ refusal: { text: 1 } }'],
  ['a refusal of a megabyte', "{ refusal: 'x'.repeat(1e6) }"],
  ['a copy that is no bytes', "{ decrypted: 'x' }"],
  ['a copy of 21 MB', '{ decrypted: new Uint8Array(21 * 1024 * 1024) }'],
])('a process that a PDF has taken over is not believed when it says %s', async (_, said) => {
  const program = await programOf(`return ${said}`)
  await expect(validatePdf(writtenPdf(), { program })).rejects.toMatchObject({
    codigo: 'arquivo_recusado',
    message: BROKEN,
    cause: { fault: 'malformed' },
  })
})

test('a copy is checked as any PDF, so another copy of it is refused', async () => {
  const program = await programOf('return { decrypted: new Uint8Array(9) }')
  await expect(validatePdf(writtenPdf(), { program })).rejects.toMatchObject(refusal(/protegido por senha/))
})

test.each([
  ['crashes', 'process.abort()', /signal SIGABRT/],
  ['fails', "throw new Error('no pdf.js')", /no pdf\.js$/],
])('a process that %s says nothing of the PDF', async (_, body, reason) => {
  const program = await programOf(body)
  await expect(validatePdf(writtenPdf(), { program })).rejects.toMatchObject({
    codigo: 'servico_indisponivel',
    status: 503,
    message: expect.stringMatching(/não pôde ser conferido agora/),
    cause: { message: expect.stringMatching(reason) },
  })
})
