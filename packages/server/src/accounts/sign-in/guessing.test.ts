import { test } from 'vitest'
import { checkGuessing } from '../../../test/checks/wrong-passwords.ts'

test('100 wrong passwords open no session, and the owner can still sign in on a known device', {
  timeout: 60_000,
}, async () => {
  await checkGuessing({ guesses: 100, windows: 1 })
})
