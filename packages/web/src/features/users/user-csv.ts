import {
  type CsvList,
  type CsvShape,
  type CsvLine as Line,
  parseCsvList,
} from '../../ui/csv-import/csv-list.ts'

type Field =
  | 'nomeUsuario'
  | 'emailUsuario'
  | 'senhaUsuario'
  | 'conselhoProfissional'
  | 'numeroRegistro'
  | 'ufRegistro'

export type CsvLine = Line<Field>
export type UserCsv = CsvList<Field>

export const userCsv: CsvShape<Field> = {
  people: ['usuário', 'usuários'],
  linesAtMost: 500,
  columns: {
    nomeUsuario: 'nome',
    emailUsuario: 'e-mail',
    senhaUsuario: 'senha',
    conselhoProfissional: 'conselho profissional',
    numeroRegistro: 'número do registro',
    ufRegistro: 'UF do registro',
  },
  required: ['nomeUsuario', 'emailUsuario'],
  rare: ['conselhoProfissional', 'numeroRegistro', 'ufRegistro'],
  alsoCalled: { 'nome completo': 'nomeUsuario', 'nome do usuario': 'nomeUsuario', email: 'emailUsuario' },
  isData: (cell) => cell.includes('@'),
  verbatim: ['senhaUsuario'],
}

/**
 * Parses users from a CSV file: nome, e-mail, senha.
 * @throws CsvFault
 */
export const parseUserCsv = (text: string): UserCsv => parseCsvList(text, userCsv)
