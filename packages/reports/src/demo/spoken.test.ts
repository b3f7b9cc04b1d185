import type { Element } from 'happy-dom'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { accessibleText, openDrawing, plain } from '../../test/spoken.ts'
import type { ControlType } from '../definitions/visual-types.ts'
import type { EmbeddedVisual } from '../wire/embed-contract.ts'

/* Visuals without rows; for those with rows see demo.test.ts. */

let frameOf: Awaited<ReturnType<typeof openDrawing>>['frameOf']
beforeAll(async () => {
  frameOf = (await openDrawing()).frameOf
})
afterAll(() => {
  vi.unstubAllGlobals()
})

const examples: Record<ControlType, Partial<EmbeddedVisual>[]> = {
  text: [{ text: ['Números fictícios.', 'Só para mostrar.'] }],
  button: [{ subtitle: 'Outra página' }],
  slicer: (['list', 'search', 'dateRange'] as const).map((style) => ({
    slicer: { target: { table: 'T', column: 'c' }, style, single: false },
  })),
}
const cases = Object.entries(examples).flatMap(([type, some]) =>
  some.map((more) => [type as ControlType, more] as const),
)

test.each(cases)('a %s has a name and a text alternative: %j', async (type, more) => {
  const visual: EmbeddedVisual = {
    name: 'um',
    type,
    title: 'O que se vê',
    layout: { x: 0, y: 0, width: 300, height: 200 },
    format: {},
    labels: {},
    option: {},
    conditional: {},
    ignoresSelection: false,
    columns: [],
    ...more,
  }
  const { element } = frameOf(visual)
  expect([element.tagName, element.getAttribute('aria-label')]).toEqual(['SECTION', visual.title])
  expect(await controlFaults(visual, element)).toEqual([])
})

/** Returns a visual's faults: controls without a name, texts that are not read out. */
const controlFaults = async (visual: EmbeddedVisual, element: Element): Promise<string[]> => {
  if (visual.type === 'text') {
    const spoken = accessibleText(element)
    return [visual.text ?? []].flat().filter((paragraph) => !spoken.includes(plain(paragraph)))
  }
  if (visual.type === 'slicer') await vi.waitFor(() => expect(element.querySelector('input')).not.toBeNull())
  const controls = [...element.querySelectorAll('button, input, select')].filter(
    (control) => !control.closest('[hidden]'),
  )
  const nameless = controls.filter((control) => {
    const label =
      control.closest('label') ?? (control.id && element.querySelector(`label[for="${control.id}"]`))
    return (
      !plain(control.getAttribute('aria-label')) &&
      !(label && accessibleText(label)) &&
      !accessibleText(control)
    )
  })
  return [
    ...(controls.length ? [] : ['something to press']),
    ...nameless.map((control) => `the name of ${control.outerHTML.slice(0, 80)}`),
  ]
}
