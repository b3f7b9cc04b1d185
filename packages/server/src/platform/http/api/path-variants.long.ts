import { afterAll, beforeAll, describe } from 'vitest'
import { startVariants, stopVariants, testVariants } from '../../../../test/checks/path-variants.ts'

beforeAll(startVariants)
afterAll(stopVariants)

describe('a caller without a session', () => testVariants({ as: 'nobody', oneIn: 1 }))
describe('a signed-in USER', () => testVariants({ as: 'person', oneIn: 1 }))
