import { csvFile, labelsOf, userEntity } from '@bi-manager/contract'
import { countText } from '../../ui/data-table/page-range.ts'
import { generatePasswordForSheet } from './generate-password.ts'
import { type CsvLine, userCsv } from './user-csv.ts'

/**
 * Returns generated passwords by line number for lines without one. Call it once per file, so that
 * preview and import use the same passwords.
 */
export const passwordsFor = (lines: CsvLine[]): ReadonlyMap<number, string> =>
  new Map(
    lines
      .filter(({ senhaUsuario }) => senhaUsuario.trim() === '')
      .map(({ linha }) => [linha, generatePasswordForSheet()]),
  )

export const withPasswords = (lines: CsvLine[], passwords: ReadonlyMap<number, string>): CsvLine[] =>
  lines.map((line) => ({ ...line, senhaUsuario: passwords.get(line.linha) ?? line.senhaUsuario }))

/** Returns the content of 'usuarios-senhas.csv': users with generated passwords only. */
export const passwordsCsv = (lines: CsvLine[], passwords: ReadonlyMap<number, string>): string =>
  csvFile([
    ['nome', 'e-mail', 'senha'],
    ...lines.flatMap(({ linha, nomeUsuario, emailUsuario }) => {
      const password = passwords.get(linha)
      return password === undefined ? [] : [[nomeUsuario, emailUsuario, password]]
    }),
  ])

export const exampleCsv = (): string =>
  csvFile([
    ['nome', 'e-mail', 'senha', 'perfis'],
    ['Joana Pereira', 'joana.pereira@exemplo.com.br', '', ''],
    ['Carlos Lima', 'carlos.lima@exemplo.com.br', 'Troque-esta-senha-1', ''],
  ])

export const fieldNames: Record<string, string> = {
  ...labelsOf(userEntity),
  nomeUsuario: 'Nome',
  perfis: 'Perfis',
}

export const peopleText = (count: number): string => countText(count, false, userCsv.people)

/** Returns the text shown during the import; the server needs time to hash each password. */
export const writingText = (count: number, isInviting: boolean): string =>
  `Gravando ${peopleText(count)}${count >= 50 && !isInviting ? ': pode levar até um minuto' : ''}. Não feche esta janela.`
