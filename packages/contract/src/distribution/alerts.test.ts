import { describe, expect, test } from 'vitest'
import { AlertDraft } from './alerts.ts'

const good = {
  nomeAlerta: 'Custo',
  pagina: 'p1',
  visual: 'v1',
  coluna: 'c1',
  condicao: 'ACIMA',
  limite: 10,
  frequencia: 'HORA',
}

const faultsOf = (draft: unknown): string[] => {
  const { error } = AlertDraft.safeParse(draft)
  return error?.issues.map(({ path }) => path.join('.')) ?? []
}

describe('AlertDraft', () => {
  test('AlertDraft accepts a draft', () => {
    expect(faultsOf(good)).toEqual([])
  })

  test('AlertDraft names the faults of dependent fields together with those of single fields', () => {
    // NaN: what the form makes of a limit that is no number.
    const draft = { ...good, limite: Number.NaN, visual: null, frequencia: 'DIARIA', horario: null }
    expect(faultsOf(draft)).toEqual(['limite', 'visual', 'horario'])
  })

  test.each([
    ['no object', 'texto', ['']],
    ['null', null, ['']],
    ['a list', [], ['']],
    ['wrong types', { ...good, pagina: 5, limite: {}, condicao: [], horario: 7 }, undefined],
  ])('AlertDraft names each fault once in %s', (_, draft, expected) => {
    const faults = faultsOf(draft)
    expect(faults).toEqual(expected ?? ['pagina', 'condicao', 'limite', 'horario'])
  })
})
