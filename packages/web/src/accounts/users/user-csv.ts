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
type UserCsv = CsvList<Field>

/** The columns of a file without a heading. Add a new one at the end: older files have this order. */
const headlessOrder = [
  'nomeUsuario',
  'emailUsuario',
  'senhaUsuario',
  'conselhoProfissional',
  'numeroRegistro',
  'ufRegistro',
  'perfis',
  'identidadeRls',
] as const satisfies readonly Field[]

const headings: Record<Field, string> = { ...csvImportOf(userEntity), perfis: 'perfis' }
// Not all of `Field`: a field that `headlessOrder` lacks does not compile in `userCsv`.
const columns = Object.fromEntries(headlessOrder.map((field) => [field, headings[field]])) as Record<
  (typeof headlessOrder)[number],
  string
>
const usual: Field[] = ['nomeUsuario', 'emailUsuario', 'senhaUsuario']

export const userCsv: CsvShape<Field> = {
  people: ['usuário', 'usuários'],
  maxLines: 500,
  columns,
  required: ['nomeUsuario', 'emailUsuario'],
  rare: headlessOrder.filter((field) => !usual.includes(field)),
  alsoCalled: { 'nome completo': 'nomeUsuario', 'nome do usuario': 'nomeUsuario', email: 'emailUsuario' },
  isData: (cell) => cell.includes('@'),
  verbatim: ['senhaUsuario'],
}

/**
 * Parses users from a CSV file: nome, e-mail, senha.
 * @throws CsvImportError
 */
export const parseUserCsv = (text: string): UserCsv => parseCsvList(text, userCsv)
