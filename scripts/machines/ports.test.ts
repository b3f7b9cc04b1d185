import { expect, test } from 'vitest'
import { freePorts } from './ports.ts'

// So many that ports which are asked for one after another would repeat.
test('freePorts returns different ports', async () => {
  expect(new Set(await freePorts(800)).size).toBe(800)
})
