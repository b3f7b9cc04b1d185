import { test } from 'vitest'
import { raceForGrants } from '../../../test/checks/race-for-grants.ts'
import { startTestApp } from '../../../test/test-app.ts'

test('concurrent replacements by two ADMINs leave one of the two sets: 200 rounds', async () => {
  const app = await startTestApp()
  try {
    await raceForGrants(app, 200)
  } finally {
    await app.close()
  }
})
