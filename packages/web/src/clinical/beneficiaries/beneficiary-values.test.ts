import { expect, test } from 'vitest'
import { CsvImportError } from '../../ui/csv-import/csv-file.ts'
import { exampleCsv, parseBeneficiaryCsv } from './beneficiary-csv.ts'
import { prefilledBy } from './beneficiary-values.ts'

test('prefilledBy takes a text with a digit as the id, and other text as the name', () => {
  expect(prefilledBy('EX-0001')).toEqual({ id_beneficiario: 'EX-0001' })
  expect(prefilledBy('Ana Água')).toEqual({ nome_beneficiario: 'Ana Água' })
})

test('the example CSV is valid', () => {
  expect(parseBeneficiaryCsv(exampleCsv()).lines.map((line) => [line.linha, line.id_beneficiario])).toEqual([
    [2, 'EX-9001'],
    [3, 'EX-9002'],
  ])
})

test('parseBeneficiaryCsv reads columns by heading in any order, or in our order without heading', () => {
  const ana = {
    nome_beneficiario: 'Ana',
    id_beneficiario: '007',
    data_nascimento: '01/02/1980',
    sexo: 'F',
    plano: '',
    operadora: '',
  }
  const { lines, ignored } = parseBeneficiaryCsv(
    'Carteirinha,Nome Completo,CPF,Data de nascimento,Sexo\n007, Ana ,1,01/02/1980,F',
  )
  expect([lines, ignored]).toEqual([[{ linha: 2, ...ana }], ['CPF']])
  expect(parseBeneficiaryCsv('Ana;007;01/02/1980;F').lines).toEqual([{ linha: 1, ...ana }])
})

test('parseBeneficiaryCsv refuses a heading without an id, and 1,001 lines', () => {
  expect(() => parseBeneficiaryCsv('nome;sexo\nAna;F')).toThrow(
    new CsvImportError('Falta a coluna id. O cabeçalho esperado é: nome;id;nascimento;sexo;plano;operadora.'),
  )
  const rows = Array.from({ length: 1_001 }, (_, row) => `P;${row}`).join('\n')
  expect(() => parseBeneficiaryCsv(rows)).toThrow(
    'O arquivo tem 1.001 beneficiários. Importe no máximo 1.000 de uma vez.',
  )
})
