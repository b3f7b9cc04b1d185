import { describe, expect, test } from 'vitest'
import { decideOutcome } from './decide-outcome.ts'

type Alert = Parameters<typeof decideOutcome>[0]

/** Reads the values one after another. @returns the outcomes with the compared value */
const run = (fields: Partial<Alert>, values: (number | null | 'texto')[]) => {
  let alert: Alert = {
    condicao: 'ACIMA',
    limite: 100,
    percentual: false,
    estado: 'AGUARDA',
    valor: null,
    referencia: null,
    ...fields,
  }
  return values.map((value) => {
    const valor = typeof value === 'number' ? value : null
    const { resultado, estado, anterior, referencia } = decideOutcome(alert, {
      isPresent: value !== null,
      valor,
    })
    alert = { ...alert, estado, referencia, valor: resultado === 'SEM_VALOR' ? alert.valor : valor }
    return `${resultado} ${anterior ?? '-'}`
  })
}

describe('decideOutcome', () => {
  test('decideOutcome tells of a crossing once, until the condition was not met again', () => {
    expect(run({}, [90, 101, 102, 100, 150])).toEqual([
      'INICIAL -',
      'CRUZOU 90',
      'CONTINUA 101',
      'NORMAL 102',
      'CRUZOU 100',
    ])
    expect(run({ condicao: 'ABAIXO' }, [100, 99, 98, 100, 99])).toEqual([
      'INICIAL -',
      'CRUZOU 100',
      'CONTINUA 99',
      'NORMAL 98',
      'CRUZOU 100',
    ])
  })

  test('decideOutcome tells nothing of a condition that is met from the beginning', () => {
    expect(run({}, [150, 160, 90, 101])).toEqual(['INICIAL -', 'CONTINUA 150', 'NORMAL 160', 'CRUZOU 90'])
  })

  test('decideOutcome keeps the state while there is no value', () => {
    expect(run({}, [null, 90, 150, null, 'texto', 160])).toEqual([
      'SEM_VALOR -',
      'INICIAL -',
      'CRUZOU 90',
      'SEM_VALOR 150',
      'SEM_VALOR 150',
      'CONTINUA 150',
    ])
  })

  test('decideOutcome measures a change from the last one that was told', () => {
    expect(run({ condicao: 'VARIOU', limite: 10 }, [100, 105, 109.5, 110, 115, 100])).toEqual([
      'INICIAL -',
      'NORMAL 100',
      'NORMAL 100',
      'CRUZOU 100',
      'NORMAL 110',
      'CRUZOU 110',
    ])
    expect(
      run({ condicao: 'VARIOU', limite: 10, percentual: true }, [-200, -181, -180, -170, 0, 0, 1]),
    ).toEqual([
      'INICIAL -',
      'NORMAL -200',
      'CRUZOU -200',
      'NORMAL -180',
      'CRUZOU -180',
      'NORMAL 0',
      'CRUZOU 0',
    ])
  })

  test.each([
    // As doubles, 1.21 - 1.1 is 0.10999999999999988, and 0.3 - 0.1 is 0.19999999999999998.
    [{ limite: 10, percentual: true }, 1.1, 1.21, 1.2099],
    [{ limite: 14, percentual: true }, 0.14, 0.1596, 0.15959],
    [{ limite: 12.5, percentual: true }, -0.08, -0.07, -0.0701],
    [{ limite: 0.1, percentual: true }, 1e-7, 1.001e-7, 1.0009e-7],
    [{ limite: 0.2 }, 0.1, 0.3, 0.2999],
    [{ limite: 0.01 }, 4.35, 4.36, 4.359],
  ])(
    'decideOutcome compares a change with its limit by their decimal digits (%j of %d)',
    (fields, from, met, unmet) => {
      const alert = { condicao: 'VARIOU', ...fields } as const
      expect(run(alert, [from, met])).toEqual(['INICIAL -', `CRUZOU ${from}`])
      expect(run(alert, [from, unmet])).toEqual(['INICIAL -', `NORMAL ${from}`])
    },
  )

  test('decideOutcome compares a percentage with its limit as it was typed', () => {
    // 14 % is stored as 0.14.
    expect(run({ limite: 0.14 }, [0.1, 0.14, 0.1401])).toEqual(['INICIAL -', 'NORMAL 0.1', 'CRUZOU 0.14'])
  })

  test('decideOutcome tells of a missing value, also of a text', () => {
    expect(run({ condicao: 'AUSENTE' }, ['texto', null, null, 5, null])).toEqual([
      'INICIAL -',
      'CRUZOU -',
      'CONTINUA -',
      'NORMAL -',
      'CRUZOU 5',
    ])
  })
})
