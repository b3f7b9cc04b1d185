import { PDFDocument } from '@cantoo/pdf-lib'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { expect, test } from 'vitest'
import { lockPdf } from './lock-pdf.ts'

const password = 'Uma senha de PDF 7'
const aPdf = async () => {
  const document = await PDFDocument.create()
  document.addPage([200, 100]).drawText('Custos de janeiro')
  return Buffer.from(await document.save())
}
const textOf = async (bytes: Buffer, given?: string) => {
  const options = { data: new Uint8Array(bytes), ...(given === undefined ? {} : { password: given }) }
  const pdf = await getDocument({ ...options, verbosity: 0 }).promise
  const { items } = await (await pdf.getPage(1)).getTextContent()
  return items.map((item) => ('str' in item ? item.str : '')).join('')
}

test('a locked PDF opens with the password only, in another reader', async () => {
  const locked = await lockPdf(await aPdf(), password)
  expect(await textOf(locked, password)).toBe('Custos de janeiro')
  await expect(textOf(locked)).rejects.toMatchObject({ name: 'PasswordException' })
  await expect(textOf(locked, `${password}8`)).rejects.toMatchObject({ name: 'PasswordException' })
  expect(locked.includes('/AESV3')).toBe(true)
  expect(locked.includes('Custos')).toBe(false)
})

test('a file that is no PDF is not sent unlocked', async () => {
  await expect(lockPdf(Buffer.from('%PDF-1.7\nnada'), password)).rejects.toThrow(/could not be encrypted/)
})
