import { expect, test } from 'vitest'
import { pastedEmails } from './pasted-emails.ts'

test.each([
  ['one for each line', 'ana@x.com\r\nbia@x.com\n\n', ['ana@x.com', 'bia@x.com']],
  ['of a mail program', 'Ana Souza <ana@x.com>; "Lima, Bia" <bia@x.com>', ['ana@x.com', 'bia@x.com']],
  [
    'of names with commas',
    'Lima, Bia <bia@x.com>, ana@x.com, Souza, Ana, Dra. <ana.souza@x.com>',
    ['bia@x.com', 'ana@x.com', 'ana.souza@x.com'],
  ],
  ['named by themselves', "'ana@x.com' <ana@x.com>; <bia@x.com>", ['ana@x.com', 'bia@x.com']],
  [
    'with apostrophes',
    "Rita D'Ávila <rita.d'avila@x.com>\no'brien@x.com, 'bia@x.com'",
    ["rita.d'avila@x.com", "o'brien@x.com", 'bia@x.com'],
  ],
  ['of a spreadsheet', 'Ana Souza\tana@x.com\nBia\tbia@x.com', ['ana@x.com', 'bia@x.com']],
  ['with lines that have none', 'Ana Souza\nbia@x.com', ['Ana Souza', 'bia@x.com']],
  ['with parts that have none', 'Ana Souza, bia@x.com, Caio', ['Ana Souza', 'bia@x.com', 'Caio']],
  ['with an empty address', 'bia@x.com, Ana <ana>', ['bia@x.com', 'Ana <ana>']],
  ['of an empty text', ' \n ', []],
])('pastedEmails reads e-mails %s', (_, text, emails) => {
  expect(pastedEmails(text).map(({ email }) => email)).toEqual(emails)
})

test('pastedEmails keeps the line of each e-mail, counting empty lines', () => {
  expect(pastedEmails('ana@x.com, bia@x.com\r\n\r\ncaio@x.com;dora@x.com\neva@x.com')).toEqual([
    { email: 'ana@x.com', line: 1 },
    { email: 'bia@x.com', line: 1 },
    { email: 'caio@x.com', line: 3 },
    { email: 'dora@x.com', line: 3 },
    { email: 'eva@x.com', line: 4 },
  ])
})
