import { test } from 'vitest'
import { importWhileServing } from '../../../test/accounts/user-import.ts'
import { startTestApp } from '../../../test/test-app.ts'

test('an import of 500 lines does not block other calls', async () => {
  const app = await startTestApp()
  try {
    await importWhileServing(app, 500)
  } finally {
    await app.close()
  }
})
