import { afterAll, beforeAll } from 'vitest'
import { startVariants, stopVariants, testVariants } from '../../test/path-variants.ts'

beforeAll(startVariants)
afterAll(stopVariants)

testVariants({ oneIn: 1 })
