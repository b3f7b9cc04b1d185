import { test } from 'vitest'
import { startTestApp } from '../../../test/test-app.ts'
import { importWhileServing } from '../../../test/user-import.ts'

test('500 lines are written in one go, while others are served', async () => {
  const app = await startTestApp()
  try {
    await importWhileServing(app, 500)
  } finally {
    await app.close()
  }
})
