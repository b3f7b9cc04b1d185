import { describe, expect, test } from 'vitest'
import { AlertDraft } from './alerts.ts'
import { SubscriptionDraft } from './subscriptions.ts'

const alert = {
  nomeAlerta: 'Custo',
  pagina: 'p1',
  visual: 'v1',
  coluna: 'c1',
  condicao: 'ACIMA',
  limite: 10,
  frequencia: 'HORA',
}
const subscription = { assunto: 'Custos', formato: 'PNG', pagina: 'p1', frequencia: 'ATUALIZACAO' }

interface Kind {
  name: string
  schema: typeof AlertDraft | typeof SubscriptionDraft
  good: object
  /** Faults of single fields, and of fields that do not fit together. */
  bad: object
  faults: string[]
  /** A value of a wrong type in each field on which others depend. */
  wrong: object
  wrongFields: string[]
}

const kinds: Kind[] = [
  {
    name: 'AlertDraft',
    schema: AlertDraft,
    good: alert,
    // NaN: what the form makes of a limit that is no number.
    bad: { ...alert, limite: Number.NaN, visual: null, frequencia: 'DIARIA', horario: null },
    faults: ['limite', 'visual', 'horario'],
    wrong: { ...alert, pagina: 5, limite: {}, condicao: [], horario: 7 },
    wrongFields: ['pagina', 'condicao', 'limite', 'horario'],
  },
  {
    name: 'SubscriptionDraft',
    schema: SubscriptionDraft,
    good: subscription,
    bad: { ...subscription, assunto: '', pagina: null, frequencia: 'SEMANAL', horario: '07:30' },
    faults: ['assunto', 'pagina', 'diaSemana'],
    wrong: { ...subscription, pagina: 5, visuais: 'a', formato: [], idVisao: {}, horario: 7 },
    wrongFields: ['pagina', 'visuais', 'idVisao', 'formato', 'horario'],
  },
]

describe.each(kinds)('$name', ({ name, schema, good, bad, faults, wrong, wrongFields }) => {
  const faultsOf = (draft: unknown): string[] => {
    const { error } = schema.safeParse(draft)
    return error?.issues.map(({ path }) => path.join('.')) ?? []
  }

  test(`${name} accepts a draft`, () => {
    expect(faultsOf(good)).toEqual([])
  })

  test(`${name} names the faults of dependent fields together with those of single fields`, () => {
    expect(faultsOf(bad)).toEqual(faults)
  })

  test.each([
    ['no object', 'texto', ['']],
    ['null', null, ['']],
    ['a list', [], ['']],
    ['wrong types', wrong, wrongFields],
  ])(`${name} names each fault once in %s`, (_, draft, expected) => {
    expect(faultsOf(draft)).toEqual(expected)
  })
})
