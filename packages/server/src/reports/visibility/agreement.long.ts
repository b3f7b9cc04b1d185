import { test } from 'vitest'
import { checkAgreement } from '../../../test/checks/access-agreement.ts'

test('menu, embed call and explainer agree after long sequences of changes', () =>
  checkAgreement({ runs: 300, length: 30 }))
