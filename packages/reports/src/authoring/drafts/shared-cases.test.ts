import { existsSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { beginDrafts } from '../../../test/draft-calls.ts'
import { serviceWith } from '../../../test/fixture.ts'

/*
 * Spreadsheets built after public bug reports of other projects, with the right answers. They are
 * not part of this repository: without them, the tests are reported as skipped.
 */

const folder = fileURLToPath(new URL('../../../../../shared/cases/data/', import.meta.url))
const isThere = existsSync(folder)

interface Answer {
  /** Heading, type, and how it is shown. */
  columns: string[]
  first?: (string | null)[]
  rows?: number
  remarks?: RegExp
}

const answers: Record<string, Answer> = {
  '40-sistema-1904.xlsx': { columns: ['Data date', 'Valor number'], first: ['2026-03-05', '1.5'] },
  '41-primeira-aba-oculta.xlsx': {
    columns: ['Unidade text', 'Valor integer'],
    first: ['Centro', '10'],
    remarks: /a aba oculta Listas não foi lida/,
  },
  '42-formatos-de-numero.xlsx': {
    columns: [
      'Red number',
      'Dias number',
      'Milhões number',
      'Espaço M number',
      'Sim number',
      'Horas number',
      'Reais number money',
      'Científico number',
      'Meses number',
    ],
    first: Array(9).fill('1234.5'),
    rows: 3,
  },
  '43-formatos-de-data.xlsx': {
    columns: Array.from({ length: 10 }, (_, index) => `Data ${index + 1} date`),
    first: Array(10).fill('2026-03-05'),
  },
  '44-data-e-hora.xlsx': {
    columns: ['Entrada timestamp', 'Saída timestamp', 'V integer'],
    first: ['2026-03-05 14:30:00', '2026-03-05 14:30:00', '1'],
  },
  '46-cep-e-cpf-com-formato.xlsx': {
    columns: ['CEP text', 'Documento text', 'Máscara text', 'Valor number'],
    first: ['01310-100', '00012345678', '012.345.678-90', '0.5'],
  },
  '47-erros-de-formula.xlsx': {
    columns: ['Unidade text', 'Taxa number', 'Valor integer'],
    rows: 12,
    remarks: /2 células com erro de fórmula ficaram vazias \(a primeira é B6\)/,
  },
  '49-numeros-como-texto.xlsx': {
    columns: ['Município text', 'Habitantes number', 'Gasto number'],
    first: ['Alfa', '1234.0', '1234.56'],
  },
  '50-numero-e-texto-misturados.xlsx': {
    columns: ['Município text', 'Gasto number'],
    first: ['Alfa', '1234.5'],
    rows: 4,
  },
  '51-percentual-e-moeda.xlsx': {
    columns: ['Unidade text', 'Taxa number percent', 'Mensalidade number money', 'Meta number percent'],
    first: ['U0', '0.08', '1200.5', '0.5'],
  },
  '52-titulo-e-cabecalho-mesclado.xlsx': {
    columns: [
      'Unidade text',
      'Atendimentos · Qtd integer',
      'Atendimentos · Média number',
      'Custo · R$ integer',
    ],
    first: ['Centro', '10', '2.5', '100'],
    rows: 3,
    remarks: /o cabeçalho são as linhas 3 e 4; as que estão acima não foram lidas/,
  },
  '53-iso-strict.xlsx': { columns: ['Data date', 'Valor number'], first: ['2026-03-05', '1.5'] },
  '55-celulas-sem-endereco.xlsx': {
    columns: ['Unidade text', 'Valor integer'],
    first: ['Centro', '10'],
  },
  '56-prefixo-x.xlsx': { columns: ['Unidade text', 'Valor integer'], first: ['Centro', '10'] },
  '58-textos-ricos.xlsx': { columns: ['Nota text', 'V integer'], first: ['linha 1\nlinha 2', '1'], rows: 4 },
  '64-de-exceljs.xlsx': {
    columns: ['Data date', 'Preço number', 'Qtd integer', 'Total integer', 'Ativo boolean'],
    first: ['2026-03-05', '2.5', '4', '10', 'true'],
  },
  '66-macros.xlsm': { columns: ['A integer', 'B integer'], first: ['1', '2'] },
  '69-tabulado.tsv': { columns: ['A integer', 'B integer'], first: ['1', '2'] },
}

const refusals: Record<string, RegExp> = {
  '62-cabecalhos-iguais.xlsx': /: linha 1: as colunas B e C têm o mesmo nome, Valor /,
  '63-senha.xlsx': /: tem senha: no Excel, tire a senha/,
  '65-planilha.ods': /: está no formato ODS: no LibreOffice, salve a planilha como XLSX/,
  '67-binaria.xlsb': /: está no formato XLSB: no Excel, salve a planilha como XLSX/,
  '68-antiga.xls': /: está no formato XLS, que é antigo: no Excel, salve a planilha como XLSX/,
  '70-na-verdade-html.xlsx': /: é uma página HTML com nome de planilha: abra-a no Excel/,
}

const readCase = async (name: string) => {
  const { call, draft } = await beginDrafts(await serviceWith())
  return call(`${await draft(readFileSync(folder + name), name)}/read`, { reportName: 'Caso' })
}

describe.skipIf(!isThere)('files of public bug reports', () => {
  it.each(Object.entries(answers))('reads %s', async (name, { columns, first, rows, remarks }) => {
    const read = await readCase(name)
    expect(read.faults).toEqual([])
    expect(
      read.columns.map(({ label, type, shownAs }: Record<string, string>) =>
        [label, type, shownAs].filter(Boolean).join(' '),
      ),
    ).toEqual(columns)
    if (first) expect(read.preview[0]).toEqual(first)
    if (rows) expect(read.rows).toBe(rows)
    if (remarks) expect(read.remarks.join('\n')).toMatch(remarks)
    else expect(read.remarks).toEqual([])
  })

  it('reads midnights, mixed numbers and texts without another value', async () => {
    expect((await readCase('53-iso-strict.xlsx')).preview[1][0]).toBe('2026-03-06')
    expect((await readCase('44-data-e-hora.xlsx')).preview[1].slice(0, 2)).toEqual(
      Array(2).fill('2026-03-06 08:00:00'),
    )
    expect((await readCase('49-numeros-como-texto.xlsx')).preview).toEqual([
      ['Alfa', '1234.0', '1234.56'],
      ['Beta', '12500.0', '980.1'],
      ['Gama', '9870.0', '75.0'],
    ])
    const mixed = await readCase('50-numero-e-texto-misturados.xlsx')
    expect(mixed.preview.map(([, value]: string[]) => value)).toEqual(['1234.5', '1234.0', '980.1', '12.0'])
  })

  it('averages rates in the proposal, and shows reais', async () => {
    const { report } = await readCase('51-percentual-e-moeda.xlsx')
    const queries = report.pages[0].visuals.flatMap(({ query }: { query?: string }) => query ?? [])
    const average = 'SELECT avg(Taxa) AS Taxa, count(Taxa) AS linhas_lidas FROM c_51_percentual_e_moeda'
    expect(queries).toEqual(expect.arrayContaining([average]))
    expect(queries.join()).not.toContain('sum(Taxa)')
  })

  it.each(Object.entries(refusals))('refuses %s with the way out', async (name, sentence) => {
    const { faults } = await readCase(name)
    expect(faults).toEqual([expect.stringMatching(sentence)])
  })
})

it('says which cases were not run', ({ annotate }) => {
  if (isThere) expect(statSync(folder).isDirectory()).toBe(true)
  else annotate(`${Object.keys({ ...answers, ...refusals }).length} files of ${folder} are not there.`)
})
