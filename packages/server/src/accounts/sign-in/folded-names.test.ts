import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'
import { foldName } from '../credentials/attempt-limits.ts'
import { findAccount } from './sign-in.repository.ts'

/* All spellings that match one user must share one limit, by the database's own case folding. */

const app = useTestApp({ SIGN_IN_FAILURES: '5' })

/** The keys as `findAccount` and `foldName` make them, for many names in one statement. */
const keysOf = async (names: string[]): Promise<string[]> => {
  const { rows } = await sql<{ dobrado: string }>`
    select sem_acento(nome) as dobrado from unnest(${names}::text[]) with ordinality as p(nome, ordem)
    order by ordem`.execute(app.db)
  return rows.map(({ dobrado }) => foldName(dobrado))
}

/** Groups names that the database considers equal, by each of its two comparisons. */
const groups = async (names: string[]): Promise<string[][]> => {
  const { rows } = await sql<{ nome: string; dobrado: string; minusculo: string }>`
    select nome, sem_acento(nome) as dobrado, lower(nome) as minusculo from unnest(${names}::text[]) nome`.execute(
    app.db,
  )
  return [
    Map.groupBy(rows, ({ dobrado }) => dobrado),
    Map.groupBy(rows, ({ minusculo }) => minusculo),
  ].flatMap((found) => [...found.values()].map((group) => group.map(({ nome }) => nome)))
}

const isLetter = /\p{L}|\p{M}|\p{Nl}|\p{So}/u
/** Every letter and mark of Unicode; cased ones are also tested before and after another letter. */
const letters = Array.from({ length: 0x1_ffff }, (_, code) => code + 1)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))
  .filter((letter) => isLetter.test(letter))
const cased = letters.filter((letter) => letter.toLowerCase() !== letter || letter.toUpperCase() !== letter)
const marks = ['\u0301', '\u0307', '\u0308', '\u030c', '\u0327', '\u0345']
const spellings = (name: string) => [
  name,
  name.toLowerCase(),
  name.toUpperCase(),
  name.normalize('NFD'),
  name.normalize('NFKC'),
]
const words = [
  'ΟΔΟΣ',
  'οδος',
  'οδοσ',
  'Straße',
  'İstanbul',
  'ISTANBUL',
  'ﬁm',
  'J\u030cana',
  'Ÿves',
  'Ǆ',
  'Ça\u0327',
]
const names = [
  ...letters,
  ...cased.flatMap((letter) => [`A${letter}`, `${letter}a`, `α${letter}Σ`]),
  ...cased.flatMap((letter) => marks.map((mark) => letter + mark)),
].flatMap((name) => spellings(name))

describe('the key of failed sign-ins', () => {
  test('the key of failed sign-ins is the same for all spellings that the database considers equal', async () => {
    const all = [...new Set([...names, ...words.flatMap(spellings)])]
    const keys = new Map<string, string>()
    for (let start = 0; start < all.length; start += 5_000) {
      const batch = all.slice(start, start + 5_000)
      for (const [at, key] of (await keysOf(batch)).entries()) keys.set(batch[at] ?? '', key)
    }
    const split = (await groups(all)).filter((group) => new Set(group.map((name) => keys.get(name))).size > 1)
    expect(split).toEqual([])
    expect(all.length).toBeGreaterThan(100_000)
  }, 120_000)
})

test.each(words)('guesses at %s share one limit across all matching spellings', async (nomeUsuario) => {
  const { idUsuario } = await createUser(app, { nomeUsuario })
  const same: string[] = []
  for (const name of new Set(spellings(nomeUsuario))) {
    const { account, folded } = await findAccount(app.db, {
      username: name,
      marca: undefined,
      marcaAntiga: undefined,
    })
    expect([foldName(folded)]).toEqual(await keysOf([name]))
    if (account?.idUsuario === idUsuario) same.push(name)
  }
  const statuses: number[] = []
  for (let n = 0; n < 6; n += 1) {
    const username = same[n % same.length]
    statuses.push((await app.anonymous.post('/usuarios/authorizer', { username, password: 'errada' })).status)
  }
  expect(statuses).toEqual([401, 401, 401, 401, 401, 429])
})
