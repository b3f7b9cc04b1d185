import { test } from 'vitest'
import { checkGuessing } from '../../../test/wrong-passwords.ts'

test('a hundred guesses at one account let nobody in, and its owner stays in on the device they know', {
  timeout: 60_000,
}, async () => {
  await checkGuessing({ guesses: 100, windows: 1 })
})
