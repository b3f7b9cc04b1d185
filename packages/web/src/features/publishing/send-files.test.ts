import { strToU8, zipSync } from 'fflate'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { problem } from '../../../test/medical-records.ts'
import { signedInUntil } from '../../../test/token.ts'
import { startSession } from '../../lib/session/session.ts'
import { sendFiles } from './send-files.ts'

let discarded: string[]
beforeEach(() => {
  startSession(signedInUntil(Date.now() + 600_000))
  discarded = []
  let sent = 0
  vi.stubGlobal('fetch', async (url: string, { method }: RequestInit) => {
    if (method === 'DELETE') {
      discarded.push(url.replace(/^.*publicacoes\//, ''))
      return new Response(null, { status: 204 })
    }
    if (url.endsWith('/pastas')) return Response.json({ rascunho: 'pasta', apagados: [] }, { status: 201 })
    if (url.endsWith('/arquivos')) return problem(415, 'Não.')
    if (url.endsWith('/leitura'))
      return Response.json({ erros: [], avisos: ['a.csv: a coluna CEP fica como texto'] })
    sent += 1
    const apagados = sent === 2 ? ['antigo.csv'] : []
    return sent < 3
      ? Response.json({ rascunho: `r${sent}`, apagados }, { status: 201 })
      : problem(503, 'Muitos.')
  })
})
afterEach(() => vi.unstubAllGlobals())

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const parts = {
  'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="P" sheetId="1" r:id="r1"/></sheets></workbook>`,
  'xl/_rels/workbook.xml.rels': `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="${relations}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
  'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>CEP</t></is></c></row></sheetData></worksheet>`,
}
const spreadsheet = zipSync(
  Object.fromEntries(Object.entries(parts).map(([path, text]) => [path, strToU8(text)])),
)

const chosen = (...paths: string[]) => paths.map((path) => ({ path, file: new File(['{}'], path) }))

test('discards the files that were sent before one that is refused', async () => {
  await expect(sendFiles(chosen('a.csv', 'b.csv', 'c.csv'))).rejects.toThrow('Muitos.')
  expect(discarded).toEqual(['r1', 'r2'])
})

test('discards a folder of which a file is refused', async () => {
  await expect(sendFiles(chosen('v/dataset.json'))).rejects.toThrow('Não.')
  expect(discarded).toEqual(['pasta'])
})

test('names a spreadsheet as the person does, with its own size', async () => {
  const sheet = new File([spreadsheet], 'a.xlsx')
  const sent = await sendFiles([{ path: 'a.xlsx', file: sheet }])
  const [draft] = sent.kind === 'data' ? sent.drafts : []
  expect(draft?.reading.avisos).toEqual(['a.xlsx: a coluna CEP fica como texto'])
  expect(draft?.file.size).toBe(sheet.size)
})

test('names the older files that made room for those that were sent', async () => {
  expect(await sendFiles(chosen('a.csv', 'b.csv'))).toMatchObject({ replaced: ['antigo.csv'] })
})
