import { expect, test } from 'vitest'
import {
  convertFiles,
  hasLibreOffice,
  NEEDS_LIBREOFFICE,
  type OpenedCell,
  openedCells,
} from '../../../../../../scripts/machines/libreoffice.ts'
import { pageFile } from './page-file.ts'

/* LibreOffice opens the file that the browser makes of a Microsoft report, with values and types. */

const text = (value: string): OpenedCell => ({ type: 'string', value })
const float = (value: string): OpenedCell => ({ type: 'float', value })

const KEY = '35260312345678000190550010000012341000012345'
const FORMULAS = ['=1+1', '+1+1', '-1+1', '@SUM(A1)', "=cmd|' /C calc'!A0", "'já com apóstrofo"]
const SPECIAL = ['a;b "c"', 'duas\nlinhas', '00123', '_x000D_', 'São Paulo ￥', ' espaços  ']
const texts = [...FORMULAS, ...SPECIAL]

/** Heading → the text of Power BI's CSV in each row, and the cell that it becomes. */
const columns: Record<string, [written: string, cell: OpenedCell]> = {
  chave: [KEY, text(KEY)],
  codigo: ['00123', text('00123')],
  ambiguo: ['1.234', text('1.234')],
  inteiro: ['1234567', float('1234567')],
  decimal: ['-0.125', float('-0.125')],
  dobro: ['0.30000000000000004', float('0.3')],
  milhares: ['1.234,56', float('1234.56')],
  reais: ['-R$ 1.234,56', { type: 'currency', value: '-1234.56' }],
  taxa: ['0,14%', { type: 'percentage', value: '0.0014' }],
  dia: ['2026-03-05', { type: 'date', value: '2026-03-05' }],
  meiaNoite: ['2026-03-05T00:00:00', { type: 'date', value: '2026-03-05' }],
  momento: ['2026-03-05 18:30:15', { type: 'date', value: '2026-03-05T18:30:15' }],
  duvidoso: ['05/03/2026', text('05/03/2026')],
  logico: ['True', { type: 'boolean', value: 'true' }],
  vazio: ['', undefined],
}
const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`
const csv = [
  ['texto', ...Object.keys(columns)],
  ...texts.map((one) => [one, ...Object.values(columns).map(([written]) => written)]),
]
  .map((row) => `${row.map(quoted).join(',')}\r\n`)
  .join('')

test.skipIf(!hasLibreOffice)(
  `LibreOffice opens the XLSX of a page ${NEEDS_LIBREOFFICE}`,
  async () => {
    const about = {
      nomeRelatorio: 'Custos',
      person: '=Ana & Souza',
      dataTime: '2026-11-28T06:00:00.000Z',
      created: Date.parse('2026-11-28T12:00:15Z'),
    }
    const visuals = [{ title: 'Custo: por mês/ano', csv: `\uFEFF${csv}` }]
    const { file, refused } = pageFile({ title: 'Principal', filters: [], visuals }, about)
    expect(refused).toEqual([])
    const bytes = new Uint8Array(await file.arrayBuffer())
    const [converted] = convertFiles([{ name: 'pagina.xlsx', bytes }], { to: 'fods' })
    const sheets = openedCells(converted as Buffer)
    const [first, second] = Object.keys(sheets)
    expect(first).toBe('Sobre')
    const [headings, ...rows] = sheets[second ?? ''] ?? []
    expect(headings).toEqual(['texto', ...Object.keys(columns)].map(text))
    const cells = Object.values(columns).map(([, cell]) => cell)
    // Empty cells at the end of a row are none.
    expect(rows).toEqual(texts.map((one) => [text(one), ...cells.slice(0, -1)]))
    const facts = new Map(sheets.Sobre?.map(([label, fact]) => [label?.value, fact]))
    expect(facts.get('Exportado por')).toEqual(text('=Ana & Souza'))
    expect(facts.get('Exportado em')).toEqual({ type: 'date', value: '2026-11-28T09:00:15' })
    expect(facts.get('Dados de')).toEqual({ type: 'date', value: '2026-11-28T03:00:00' })
  },
  400_000,
)
