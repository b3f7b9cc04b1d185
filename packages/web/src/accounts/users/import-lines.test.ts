import { ApiProblem } from '@bi-manager/contract'
import { expect, test } from 'vitest'
import { faultTexts } from '../../ui/csv-import/preview-lines.tsx'
import { isAnswerLost } from '../../ui/csv-import/use-csv-import.ts'
import {
  exampleCsv,
  fieldNames,
  passwordsCsv,
  passwordsFor,
  withPasswords,
  writingText,
} from './import-lines.ts'
import { parseUserCsv } from './user-csv.ts'

const { lines } = parseUserCsv(
  [
    'nome;e-mail;senha',
    '"=HYPERLINK(""http://x"";""clique"")";+a@x.com;',
    'Bia;b@x.com;Senha-da-bia',
    'Céu;c@x.com;  ',
  ].join('\n'),
)

test('the import generates passwords for lines without one only, and exports just those', () => {
  const passwords = passwordsFor(lines)
  expect([...passwords.keys()]).toEqual([2, 4])
  expect(withPasswords(lines, passwords).map(({ senhaUsuario }) => senhaUsuario)).toEqual([
    passwords.get(2),
    'Senha-da-bia',
    passwords.get(4),
  ])
  expect(withPasswords(lines, new Map())).toEqual(lines)
  const csv = passwordsCsv(lines, passwords)
  expect(csv).not.toContain('Senha-da-bia')
  expect(csv.split('\r\n')).toEqual([
    '\uFEFFnome;e-mail;senha',
    `"'=HYPERLINK(""http://x"";""clique"")";'+a@x.com;${passwords.get(2)}`,
    `Céu;c@x.com;${passwords.get(4)}`,
    '',
  ])
})

test('the example CSV is valid', () => {
  expect(parseUserCsv(exampleCsv()).lines.map(({ linha, nomeUsuario }) => [linha, nomeUsuario])).toEqual([
    [2, 'Joana Pereira'],
    [3, 'Carlos Lima'],
  ])
})

test('faultTexts lists the errors of a line in column order', () => {
  const erros = { senhaUsuario: 'Falta.', nomeUsuario: 'Longo.', outro: 'Estranho.' }
  expect(faultTexts({ linha: 2, erros }, fieldNames)).toEqual([
    'Nome: Longo.',
    'Senha: Falta.',
    'outro: Estranho.',
  ])
})

test('isAnswerLost is false only for a response of the server itself', () => {
  const problem = (status: number, codigo = 'x') => new ApiProblem(status, { codigo, detail: 'x' })
  expect(
    [new TypeError('fetch failed'), problem(504, 'resposta_invalida'), problem(422), problem(500)].map(
      isAnswerLost,
    ),
  ).toEqual([true, true, false, false])
})

test('writingText announces a long import for many users', () => {
  expect(writingText(500, false)).toBe(
    'Gravando 500 usuários: pode levar até um minuto. Não feche esta janela.',
  )
  expect(writingText(1, false)).toBe('Gravando 1 usuário. Não feche esta janela.')
})
