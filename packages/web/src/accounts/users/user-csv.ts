import { csvImportOf, type ImportField, userEntity } from '@bi-manager/contract'
import {
  type CsvList,
  type CsvShape,
  type CsvLine as Line,
  parseCsvList,
} from '../../ui/csv-import/csv-list.ts'

/** Besides the fields of an account, the profiles that the person joins. */
type Field = ImportField<typeof userEntity> | 'perfis'

export type CsvLine = Line<Field>
export type UserCsv = CsvList<Field>

const { identidadeRls, ...ofAccount } = csvImportOf(userEntity)
// New columns come last: a file without a heading has its columns in this order.
const columns = { ...ofAccount, perfis: 'perfis', identidadeRls }
const fields = Object.keys(columns) as Field[]
const usual: Field[] = ['nomeUsuario', 'emailUsuario', 'senhaUsuario']

export const userCsv: CsvShape<Field> = {
  people: ['usuário', 'usuários'],
  maxLines: 500,
  columns,
  required: ['nomeUsuario', 'emailUsuario'],
  rare: fields.filter((field) => !usual.includes(field)),
  alsoCalled: { 'nome completo': 'nomeUsuario', 'nome do usuario': 'nomeUsuario', email: 'emailUsuario' },
  isData: (cell) => cell.includes('@'),
  verbatim: ['senhaUsuario'],
}

/**
 * Parses users from a CSV file: nome, e-mail, senha.
 * @throws CsvImportError
 */
export const parseUserCsv = (text: string): UserCsv => parseCsvList(text, userCsv)
