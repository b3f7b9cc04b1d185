import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type CaseAnswer, csvAnswers } from './shared-csv-cases.ts'

/*
 * Spreadsheets and Parquet files built after public bug reports of other projects, with the right
 * answers. They are not part of this repository: without them, the tests are reported as skipped.
 */

export const casesFolder = join(process.env.SHARED_FOLDER ?? '', 'cases/data/')
export const areCasesThere = existsSync(casesFolder)

export const caseAnswers: Record<string, CaseAnswer> = {
  ...csvAnswers,
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
  '62-cabecalhos-iguais.xlsx': {
    columns: ['Unidade text', 'Valor integer', 'Valor 2 integer'],
    remarks: /o cabeçalho repete nomes, que aqui levam um número: a coluna C é Valor 2/,
  },
  '64-de-exceljs.xlsx': {
    columns: ['Data date', 'Preço number', 'Qtd integer', 'Total integer', 'Ativo boolean'],
    first: ['2026-03-05', '2.5', '4', '10', 'true'],
  },
  '66-macros.xlsm': { columns: ['A integer', 'B integer'], first: ['1', '2'] },
  '80-tipos.parquet': {
    columns: [
      'id integer',
      'dec18 number',
      'dec38 number',
      'u64 integer',
      'hora other',
      'dur other',
      'lista other',
      'estrutura other',
      'mapa other',
      'uid other',
      'bin other',
      'grupo text',
    ],
    rows: 5,
  },
  '82-nan.parquet': {
    columns: ['g text', 'valor number', 'outro number'],
    rows: 3,
    remarks:
      /a coluna valor tem 1 valor que não é um número .* a coluna outro tem 1 valor que não é um número /s,
  },
  '83-nomes.parquet': {
    columns: ['Valor integer', 'valor.bruto integer', 'R$ total integer', '1º integer', 'Coluna 5 text'],
    first: ['1', '2', '3', '4', 'x'],
  },
  '84-tudo-nulo.parquet': {
    columns: ['id integer', 'obs integer', 'g text'],
    first: ['0', null, 'A'],
    rows: 3,
  },
  '69-tabulado.tsv': { columns: ['A integer', 'B integer'], first: ['1', '2'] },
}

export const caseRefusals: Record<string, RegExp> = {
  '63-senha.xlsx': /: tem senha: no Excel, tire a senha/,
  '65-planilha.ods': /: está no formato ODS: no LibreOffice, salve a planilha como XLSX/,
  '67-binaria.xlsb': /: está no formato XLSB: no Excel, salve a planilha como XLSX/,
  '68-antiga.xls': /: está no formato XLS, que é antigo: no Excel, salve a planilha como XLSX/,
  '70-na-verdade-html.xlsx': /: é uma página HTML com nome de planilha: abra-a no Excel/,
}
