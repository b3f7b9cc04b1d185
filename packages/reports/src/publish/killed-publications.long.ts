import { expect, it } from 'vitest'
import { OLD_OR_NEW, outcomesOfDeaths } from '../../test/killed-publications.ts'

it('a publication killed before any of its disk operations leaves the old or the new state', async () => {
  expect(await outcomesOfDeaths(1)).toEqual(OLD_OR_NEW)
})
