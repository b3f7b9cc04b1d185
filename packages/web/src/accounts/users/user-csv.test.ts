import { expect, test } from 'vitest'
import { CsvImportError, decodeCsv } from '../../ui/csv-import/csv-file.ts'
import { parseUserCsv, userCsv } from './user-csv.ts'

const rare = Object.fromEntries((userCsv.rare ?? []).map((field) => [field, '']))
const line = (linha: number, nomeUsuario: string, emailUsuario: string, senhaUsuario = '') => ({
  linha,
  nomeUsuario,
  emailUsuario,
  senhaUsuario,
  ...rare,
})
const ana = (linha: number) => line(linha, 'Ana Água', 'ana@exemplo.com.br', 'Senha-da-ana')
const linesOf = (text: string) => parseUserCsv(text).lines

test.each([
  [';', 'nome;e-mail;senha\r\nAna Água;ana@exemplo.com.br;Senha-da-ana\r\n'],
  [',', 'Nome,Email,Senha\nAna Água,ana@exemplo.com.br,Senha-da-ana'],
  ['tab', '\uFEFFNOME\tE-MAIL\tSENHA\rAna Água\tana@exemplo.com.br\tSenha-da-ana\r'],
])('userCsv reads columns separated by %s with a heading', (_, text) => {
  expect(linesOf(text)).toEqual([ana(2)])
})

test('userCsv reads name, e-mail and optional password in this order without a heading', () => {
  expect(linesOf('Ana Água;ana@exemplo.com.br;Senha-da-ana\nBia;bia@exemplo.com.br')).toEqual([
    ana(1),
    line(2, 'Bia', 'bia@exemplo.com.br'),
  ])
})

test('userCsv reads council, number and state after the password without a heading', () => {
  expect(linesOf('Ana;ana@exemplo.com.br;;CRM;12345;SP')).toEqual([
    {
      ...line(1, 'Ana', 'ana@exemplo.com.br'),
      conselhoProfissional: 'CRM',
      numeroRegistro: '12345',
      ufRegistro: 'SP',
    },
  ])
})

test('userCsv reads profiles and the security identity last without a heading', () => {
  expect(linesOf('Ana;ana@exemplo.com.br;;CRM;12345;SP;Vendas|Estoque;SUL')).toEqual([
    {
      ...line(1, 'Ana', 'ana@exemplo.com.br'),
      conselhoProfissional: 'CRM',
      numeroRegistro: '12345',
      ufRegistro: 'SP',
      perfis: 'Vendas|Estoque',
      identidadeRls: 'SUL',
    },
  ])
})

test('userCsv reads columns in any order and returns the names of unknown ones', () => {
  const { lines, ignored } = parseUserCsv(
    'E-mail;Perfil;Nome do usuário;Situação\nana@exemplo.com.br;USER;Ana;ATIVO',
  )
  expect(lines).toEqual([line(2, 'Ana', 'ana@exemplo.com.br')])
  expect(ignored).toEqual(['Perfil', 'Situação'])
})

test('userCsv reads separators, quotes and line breaks in quoted fields, and keeps line numbers', () => {
  const text =
    'nome;e-mail;senha\n\n"Silva; Ana ""Aninha""";ana@x.com;"a;b"\n;;\n"duas\nlinhas";b@x.com;\nC;c@x.com;c'
  expect(linesOf(text)).toEqual([
    line(3, 'Silva; Ana "Aninha"', 'ana@x.com', 'a;b'),
    line(5, 'duas\nlinhas', 'b@x.com'),
    line(7, 'C', 'c@x.com', 'c'),
  ])
})

test('userCsv detects semicolons as the separator when a name contains a comma or a quote', () => {
  expect(linesOf('Silva, Ana "Aninha";ana@x.com;p')).toEqual([
    line(1, 'Silva, Ana "Aninha"', 'ana@x.com', 'p'),
  ])
})

test('userCsv trims names and e-mails but not passwords', () => {
  expect(linesOf('nome;e-mail;senha\n Ana ; ana@x.com ; p ')).toEqual([line(2, 'Ana', 'ana@x.com', ' p ')])
})

test.each([
  ['', 'O arquivo não tem nenhum usuário.'],
  [' \n;;\n', 'O arquivo não tem nenhum usuário.'],
  ['nome;e-mail;senha\n', 'O arquivo só tem o cabeçalho: nenhum usuário.'],
  ['nome;senha\nAna;p', 'Falta a coluna e-mail. O cabeçalho esperado é: nome;e-mail;senha.'],
  ['senha\np', 'Falta a coluna nome e a coluna e-mail. O cabeçalho esperado é: nome;e-mail;senha.'],
  ['nome;e-mail\nAna;a@x.com\n"Bia;b@x.com\n', 'Linha 3: aspas abertas e não fechadas.'],
  [
    `nome;e-mail\n${'a'.repeat(1001)};a@x.com`,
    'Linha 2: um campo passa de 1.000 caracteres. Confira as aspas e se este é o arquivo certo.',
  ],
])('userCsv refuses %j with a sentence on its fault', (text, message) => {
  expect(() => parseUserCsv(text)).toThrow(new CsvImportError(message))
})

test('userCsv refuses more than 500 lines', () => {
  const rows = (count: number) =>
    Array.from({ length: count }, (_, row) => `P${row};p${row}@x.com`).join('\n')
  expect(linesOf(rows(500))).toHaveLength(500)
  expect(() => linesOf(rows(1501))).toThrow('O arquivo tem 1.501 usuários. Importe no máximo 500 de uma vez.')
})

test('userCsv decodes UTF-8 with and without BOM, Windows-1252 and UTF-16', () => {
  const text = 'Ação;çã@x.com'
  const utf8 = new TextEncoder().encode(text)
  const latin = Uint8Array.from([...text], (character) => character.charCodeAt(0))
  const utf16 = new Uint8Array(new Uint16Array([0xfeff, ...[...text].map((one) => one.charCodeAt(0))]).buffer)
  for (const bytes of [utf8, new Uint8Array([0xef, 0xbb, 0xbf, ...utf8]), latin, utf16])
    expect(decodeCsv(bytes)).toBe(text)
})

test('userCsv refuses a workbook and a binary file and says what to send', () => {
  expect(() => decodeCsv(Uint8Array.from([0x50, 0x4b, 3, 4, 20]))).toThrow(/Salvar como, tipo CSV UTF-8/)
  expect(() => decodeCsv(Uint8Array.from([65, 0, 66]))).toThrow(/não é um texto CSV/)
})

test('userCsv skips Excel’s sep= line and keeps the line numbers', () => {
  for (const first of ['sep=;', '\uFEFFsep=;', '"sep=;"', 'SEP=;'])
    expect(parseUserCsv(`${first}\r\nnome;e-mail\r\nAna, a primeira;a@x.com`).lines).toEqual([
      line(3, 'Ana, a primeira', 'a@x.com'),
    ])
  expect(
    parseUserCsv('sep=|\nBia|b@x.com').lines.map(({ linha, nomeUsuario }) => [linha, nomeUsuario]),
  ).toEqual([[2, 'Bia']])
})

test('userCsv reads the columns of the professional registration', () => {
  const text = 'nome;e-mail;conselho profissional;numero do registro;UF do registro\nAna;a@x.com;CRM;12345;PR'
  expect(linesOf(text)).toEqual([
    {
      ...line(2, 'Ana', 'a@x.com'),
      conselhoProfissional: 'CRM',
      numeroRegistro: '12345',
      ufRegistro: 'PR',
    },
  ])
})
