import fc from 'fast-check'
import { expect, test } from 'vitest'
import { domainOf, emailKey, emailOf } from './email.ts'
import { Email } from './fields.ts'

/*
 * Kind: one address has several spellings, and each would be another account with its own rows.
 * Looked for in sign-in, sign-up, recovery, the user's form, imports, profiles, guests, the domains
 * of subscriptions and guests, claims of the identity provider, and the limits of attempts.
 */

test.each([
  ['ana@exemplo.com.br', 'ana@exemplo.com.br'],
  ['Ana.Souza@Exemplo.COM.br', 'Ana.Souza@exemplo.com.br'],
  ['p&d@exemplo.com.br', 'p&d@exemplo.com.br'],
  ["o'hara+bi=1@exemplo.com.br", "o'hara+bi=1@exemplo.com.br"],
  ['{a}|~^`?*/$#!@exemplo.com.br', '{a}|~^`?*/$#!@exemplo.com.br'],
  ['ana@açaí.com.br', 'ana@xn--aa-4iaz.com.br'],
  ['ana@AÇAÍ.com.br', 'ana@xn--aa-4iaz.com.br'],
  ['ana@ac\u0327ai\u0301.com.br', 'ana@xn--aa-4iaz.com.br'],
  ['ana@XN--AA-4IAZ.com.br', 'ana@xn--aa-4iaz.com.br'],
  ['ana@exemplo.xn--p1ai', 'ana@exemplo.xn--p1ai'],
  ['ana@пример.рф', 'ana@xn--e1afmkfd.xn--p1ai'],
  ['ana@localhost', 'ana@localhost'],
  ['a@b-c.d1', 'a@b-c.d1'],
  // The URL standard would read these as IPv4 addresses, and write some in another way.
  ['ana@1.2.3.4', 'ana@1.2.3.4'],
  ['ana@1.2.3', 'ana@1.2.3'],
  ['ana@0x7f.1', 'ana@0x7f.1'],
  ['ana@010.1.1.1', 'ana@010.1.1.1'],
  ['ana@999.999', 'ana@999.999'],
  ['ana@10', 'ana@10'],
  ['ana@XN--99999999.com', 'ana@xn--99999999.com'],
])('%s is the e-mail %s', (text, email) => {
  expect(emailOf(text)).toBe(email)
  expect(Email.parse(` ${text} `)).toBe(email)
  expect(emailKey(text)).toBe(email.toLowerCase())
})

test.each([
  'ana',
  '@exemplo.com.br',
  'ana@',
  'ana@@exemplo.com.br',
  'a na@exemplo.com.br',
  'joão@exemplo.com.br',
  'ana@exemplo..com.br',
  'ana@.com.br',
  'ana@exemplo.com.br.',
  'ana@-exemplo.com.br',
  'ana@exemplo-.com',
  'ana@１.２.３.４',
  'ana@[::1]',
  'ana@exemplo.com:25',
  'ana@exemplo.com/x',
  'ana@exemplo.com?x',
  'ana@exemplo.com#x',
  'ana@exe mplo.com',
  'ana@exemplo%2ecom',
  'ana@x_y.com',
  'ana@exemplo.com\n.br',
  `ana@${'a'.repeat(64)}.com`,
  `ana@${'a.'.repeat(127)}com`,
  'ana,bia@exemplo.com',
])('%s is not an e-mail', (text) => {
  expect(emailOf(text)).toBeUndefined()
  expect(Email.safeParse(text).error?.issues).toHaveLength(1)
})

/** The pattern of the HTML standard for `<input type=email>`. */
const HTML_EMAIL =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/

test('exactly those texts in ASCII that the HTML standard accepts are e-mails', () => {
  const parts = ['a', 'Z', '1', '0x7', '-', '.', '@', 'xn--', '_', '%', ' ', ':', 'a'.repeat(62)]
  const text = fc.array(fc.constantFrom(...parts), { maxLength: 9 }).map((all) => `${all.join('')}`)
  fc.assert(
    fc.property(
      fc.oneof(
        text,
        text.map((domain) => `ana@${domain}`),
      ),
      (given) => {
        fc.pre(given.length <= 200)
        const [local, domain] = [given.slice(0, given.lastIndexOf('@')), given.slice(given.lastIndexOf('@'))]
        const one = HTML_EMAIL.test(given) ? `${local}${domain.toLowerCase()}` : undefined
        expect(emailOf(given)).toBe(one)
      },
    ),
    { numRuns: 2_000 },
  )
})

test('an e-mail that is too long in ASCII is refused', () => {
  const text = `${'a'.repeat(20)}@${`${'a'.repeat(50)}ç.`.repeat(4)}com`
  expect(text.length).toBeLessThan(254)
  expect(emailOf(text)?.length).toBeGreaterThan(254)
  expect(Email.safeParse(text).error?.issues).toMatchObject([{ message: 'Use no máximo 254 caracteres.' }])
})

test('domainOf returns the one form of a domain', () => {
  expect(['Exemplo.com.br', 'açaí.com.br', 'exemplo'].map(domainOf)).toEqual([
    'exemplo.com.br',
    'xn--aa-4iaz.com.br',
    'exemplo',
  ])
})
