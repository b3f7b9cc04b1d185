import { expect, test } from 'vitest'
import { OLD_OR_NEW, outcomesOfCrashes } from '../../../test/killed-publications.ts'

test('a publication killed before any of its disk operations leaves the old or the new state', async () => {
  expect(await outcomesOfCrashes(1)).toEqual(OLD_OR_NEW)
})
