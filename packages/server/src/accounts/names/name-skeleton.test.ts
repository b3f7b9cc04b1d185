import { foldedName, personName } from '@bi-manager/contract'
import { expect, test } from 'vitest'
import { nameSkeleton } from './name-skeleton.ts'

const acceptedLetters = Array.from({ length: 0x30000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))
  .filter((character) => /^\p{L}$/u.test(character) && personName.safeParse(character).data === character)

test('the contract folds letters of Latin, Greek and Cyrillic names as the skeleton does', () => {
  const letters = acceptedLetters.filter((letter) => /^[\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}]$/u.test(letter))
  const small = letters.map((letter) => letter.toLowerCase())
  const alike = small.filter((letter) => /^[a-z\d]+$/.test(nameSkeleton(letter)))
  expect(alike.length).toBeGreaterThan(300)
  expect(alike.filter((letter) => foldedName(letter) !== nameSkeleton(letter))).toEqual([])
})

test('letters of other scripts cannot spell a council or "usuário", because none looks like r', () => {
  const others = acceptedLetters.filter((letter) => !/^[\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}]$/u.test(letter))
  expect(others.length).toBeGreaterThan(30_000)
  expect(others.filter((letter) => /r/.test(nameSkeleton(letter)))).toEqual([])
})
