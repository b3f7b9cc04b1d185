import { test } from 'vitest'
import { raceForGrants } from '../../../test/race-for-grants.ts'
import { startTestApp } from '../../../test/test-app.ts'

test('two administrators at the same time, 200 times: the result is one of the two sets', async () => {
  const app = await startTestApp()
  try {
    await raceForGrants(app, 200)
  } finally {
    await app.close()
  }
})
