import { ApiProblem, type UserImportPreview } from '@bi-manager/contract'
import { generatePasswordForSheet } from './generate-password.ts'
import type { CsvLine } from './user-csv.ts'

/** Passwords for the lines of a file that have none, by line; drawn once, so that the preview and the import agree. */
export const passwordsFor = (lines: CsvLine[]): ReadonlyMap<number, string> =>
  new Map(
    lines
      .filter(({ senhaUsuario }) => senhaUsuario.trim() === '')
      .map(({ linha }) => [linha, generatePasswordForSheet()]),
  )

export const withPasswords = (lines: CsvLine[], passwords: ReadonlyMap<number, string>): CsvLine[] =>
  lines.map((line) => ({ ...line, senhaUsuario: passwords.get(line.linha) ?? line.senhaUsuario }))

/** Who got which password, for 'usuarios-senhas.csv': only those that were generated. */
export const passwordsCsv = (lines: CsvLine[], passwords: ReadonlyMap<number, string>): string =>
  csvOf([
    ['nome', 'e-mail', 'senha'],
    ...lines.flatMap(({ linha, nomeUsuario, emailUsuario }) => {
      const password = passwords.get(linha)
      return password === undefined ? [] : [[nomeUsuario, emailUsuario, password]]
    }),
  ])

export const exampleCsv = (): string =>
  csvOf([
    ['nome', 'e-mail', 'senha'],
    ['Joana Pereira', 'joana.pereira@exemplo.com.br', ''],
    ['Carlos Lima', 'carlos.lima@exemplo.com.br', 'Troque-esta-senha-1'],
  ])

/** As Brazilian spreadsheets open it: byte order mark, semicolons, CRLF; a cell that would run as a formula becomes text. */
const csvOf = (rows: string[][]): string =>
  `\uFEFF${rows.map((cells) => `${cells.map(cellOf).join(';')}\r\n`).join('')}`

const cellOf = (text: string): string => {
  const safe = /^[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/.test(text) ? `'${text}` : text
  return /[";\r\n]|^'|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export const csvBlob = (text: string): Blob => new Blob([text], { type: 'text/csv;charset=utf-8' })

const fieldNames: Record<string, string> = {
  nomeUsuario: 'Nome',
  emailUsuario: 'E-mail',
  senhaUsuario: 'Senha',
}

export type PreviewLine = UserImportPreview['linhas'][number]

/** 'E-mail: Informe um e-mail válido.' for each fault of a line, in the order of the columns. */
export const faultTexts = ({ erros }: PreviewLine): string[] =>
  Object.keys(fieldNames)
    .filter((field) => field in erros)
    .concat(Object.keys(erros).filter((field) => !(field in fieldNames)))
    .map((field) => `${fieldNames[field] ?? field}: ${erros[field]}`)

export const peopleText = (count: number): string =>
  count === 1 ? '1 usuário' : `${count.toLocaleString('pt-BR')} usuários`

/** Whether the server may have done what was asked although no answer of its own came: the network, or a proxy that gave up. */
export const isAnswerLost = (error: unknown): boolean =>
  !(error instanceof ApiProblem) || (error.status >= 500 && error.codigo === 'resposta_invalida')

/** What is said while it writes; each password takes the server a while. */
export const writingText = (count: number): string =>
  `Gravando ${peopleText(count)}${count >= 50 ? ': pode levar até um minuto' : ''}. Não feche esta janela.`
