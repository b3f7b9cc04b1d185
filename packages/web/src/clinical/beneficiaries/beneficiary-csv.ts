import { beneficiaryEntity, csvFile, csvImportOf, type ImportField } from '@bi-manager/contract'
import { type CsvList, type CsvShape, parseCsvList } from '../../ui/csv-import/csv-list.ts'

type Field = ImportField<typeof beneficiaryEntity>

export const beneficiaryCsv: CsvShape<Field> = {
  people: ['beneficiário', 'beneficiários'],
  maxLines: 1_000,
  columns: csvImportOf(beneficiaryEntity),
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

/** @throws CsvImportError */
export const parseBeneficiaryCsv = (text: string): CsvList<Field> => parseCsvList(text, beneficiaryCsv)

export const exampleCsv = (): string =>
  csvFile([
    Object.values(beneficiaryCsv.columns),
    ['Fulana Exemplo da Silva', 'EX-9001', '10/03/1980', 'F', 'Pleno', 'CNU'],
    ['Beltrano Exemplo de Souza', 'EX-9002', '', 'Masculino', '', 'Bradesco'],
  ])
