import { expect, it } from 'vitest'
import { OLD_OR_NEW, outcomesOfDeaths } from '../../test/killed-publications.ts'

it('a publication that is killed before any change of the disk leaves the old or the new', async () => {
  expect(await outcomesOfDeaths(1)).toEqual(OLD_OR_NEW)
})
