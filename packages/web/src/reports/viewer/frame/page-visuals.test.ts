import { SubscribedVisual } from '@bi-manager/contract'
import { expect, test } from 'vitest'
import { visualsWithRows } from './page-visuals.ts'

test('visualsWithRows lists the visuals that have rows, with titles that a subscription may store', () => {
  const visuals = visualsWithRows([
    { name: 'custo', title: 'Custo por mês', type: 'lineChart' },
    { name: 'operadora', title: 'Operadora', type: 'slicer' },
    { name: 'nota', title: 'Nota', type: 'textbox' },
    { name: 'ir', title: 'Ir', type: 'actionButton' },
    { name: 'paginas', title: 'Páginas', type: 'pageNavigator' },
    { name: 'estado', title: 'Estado', type: 'advancedSlicerVisual' },
    { name: 'sem_titulo', title: ' ', type: 'card' },
    { name: 'longo', title: `${'a'.repeat(300)}\n`, type: 'tableEx' },
  ])
  expect(visuals.map(({ nome }) => nome)).toEqual(['custo', 'sem_titulo', 'longo'])
  expect(visuals[1]?.titulo).toBe('sem_titulo')
  for (const visual of visuals) expect(SubscribedVisual.safeParse(visual).success).toBe(true)
})
