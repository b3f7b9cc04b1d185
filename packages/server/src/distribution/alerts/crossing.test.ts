import { describe, expect, test } from 'vitest'
import { decide } from './crossing.ts'

type Alert = Parameters<typeof decide>[0]

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
    const { resultado, estado, anterior, referencia } = decide(alert, { isPresent: value !== null, valor })
    alert = { ...alert, estado, referencia, valor: resultado === 'SEM_VALOR' ? alert.valor : valor }
    return `${resultado} ${anterior ?? '-'}`
  })
}

describe('decide', () => {
  test('tells of a crossing once, until the condition was not met again', () => {
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

  test('tells nothing of a condition that is met from the beginning', () => {
    expect(run({}, [150, 160, 90, 101])).toEqual(['INICIAL -', 'CONTINUA 150', 'NORMAL 160', 'CRUZOU 90'])
  })

  test('keeps the state while there is no value', () => {
    expect(run({}, [null, 90, 150, null, 'texto', 160])).toEqual([
      'SEM_VALOR -',
      'INICIAL -',
      'CRUZOU 90',
      'SEM_VALOR 150',
      'SEM_VALOR 150',
      'CONTINUA 150',
    ])
  })

  test('measures a change from the last one that was told', () => {
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

  test('tells of a missing value, also of a text', () => {
    expect(run({ condicao: 'AUSENTE' }, ['texto', null, null, 5, null])).toEqual([
      'INICIAL -',
      'CRUZOU -',
      'CONTINUA -',
      'NORMAL -',
      'CRUZOU 5',
    ])
  })
})
