import { test } from 'vitest'
import { checkAgreement } from '../../../test/checks/access-agreement.ts'

test('menu, embed call and explainer agree after any sequence of changes', { timeout: 120_000 }, () =>
  checkAgreement({ runs: 8, length: 12 }),
)
