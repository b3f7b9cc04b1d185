import { type CsvList, type CsvShape, parseCsvList } from '../../ui/csv-import/csv-list.ts'
import { csvOf } from '../../ui/csv-import/csv-text.ts'

type Field = 'nome_beneficiario' | 'id_beneficiario' | 'data_nascimento' | 'sexo' | 'plano' | 'operadora'

export const beneficiaryCsv: CsvShape<Field> = {
  people: ['beneficiário', 'beneficiários'],
  linesAtMost: 1_000,
  columns: {
    nome_beneficiario: 'nome',
    id_beneficiario: 'id',
    data_nascimento: 'nascimento',
    sexo: 'sexo',
    plano: 'plano',
    operadora: 'operadora',
  },
  required: ['nome_beneficiario', 'id_beneficiario'],
  alsoCalled: {
    'nome completo': 'nome_beneficiario',
    'nome do beneficiario': 'nome_beneficiario',
    beneficiario: 'nome_beneficiario',
    'id do beneficiario': 'id_beneficiario',
    carteirinha: 'id_beneficiario',
    matricula: 'id_beneficiario',
    'data de nascimento': 'data_nascimento',
  },
}

/** @throws CsvFault */
export const parseBeneficiaryCsv = (text: string): CsvList<Field> => parseCsvList(text, beneficiaryCsv)

export const exampleCsv = (): string =>
  csvOf([
    Object.values(beneficiaryCsv.columns),
    ['Fulana Exemplo da Silva', 'EX-9001', '10/03/1980', 'F', 'Pleno', 'CNU'],
    ['Beltrano Exemplo de Souza', 'EX-9002', '', 'Masculino', '', 'Bradesco'],
  ])
