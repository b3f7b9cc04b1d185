import { expect, test } from 'vitest'
import type { EmbeddedVisual } from '../../../wire/embed-contract.ts'
import { showsHeader } from './visual-header.ts'

const visual = { name: 'custo', type: 'table' } as EmbeddedVisual
const shown = (...visualHeaders: unknown[]) =>
  showsHeader({ visualSettings: { visualHeaders } } as never, visual)
const hide = { settings: { visible: false } }

test('showsHeader is true unless the embedder hides the header of the visual', () => {
  expect(showsHeader({}, visual)).toBe(true)
  expect(shown(hide)).toBe(false)
  expect(shown({ ...hide, selector: { visualName: 'outro' } })).toBe(true)
  expect(shown({ ...hide, selector: { visualName: 'custo' } })).toBe(false)
  expect(shown({ ...hide, selector: { visualType: 'table' } })).toBe(false)
  expect(shown(hide, { settings: { visible: true }, selector: { visualName: 'custo' } })).toBe(true)
  expect(showsHeader({ visualSettings: { visualHeaders: 'x' } } as never, visual)).toBe(true)
})
