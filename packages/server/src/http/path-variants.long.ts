import { afterAll, beforeAll, describe } from 'vitest'
import { startVariants, stopVariants, testVariants } from '../../test/path-variants.ts'

beforeAll(startVariants)
afterAll(stopVariants)

describe('nobody', () => testVariants({ as: 'nobody', oneIn: 1 }))
describe('an ordinary person', () => testVariants({ as: 'person', oneIn: 1 }))
