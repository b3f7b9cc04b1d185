import { describe, expect, test } from 'vitest'
import { INACTIVE } from '../../deliveries/recipient.ts'
import { LEFT, LOST_PDF_PASSWORD } from '../mails/skip-reasons.ts'
import { NOBODY, resultOf } from './close-runs.ts'

const running = { estado: 'EM_ANDAMENTO', frase: null } as const
const none = new Map<string, string[]>()

describe('resultOf', () => {
  test('resultOf keeps state and sentence of a refused run', () => {
    const refused = { estado: 'FALHOU', frase: 'O Power BI não respondeu.' } as const
    expect(resultOf(refused, { enviadas: 0, puladas: 2, falhas: 0 }, new Map([[LEFT, ['Ana']]]))).toEqual({
      ...refused,
      trouble: refused.frase,
    })
  })

  test('resultOf says that a run without e-mails has no recipient', () => {
    const result = resultOf(running, { enviadas: 0, puladas: 0, falhas: 0 }, none)
    expect(result).toEqual({ estado: 'NAO_ENVIADA', frase: NOBODY, trouble: NOBODY })
  })

  test('resultOf says nothing of a run whose e-mails were all sent', () => {
    const result = resultOf(running, { enviadas: 2, puladas: 0, falhas: 0 }, none)
    expect(result).toEqual({ estado: 'CONCLUIDA', frase: null, trouble: null })
  })

  test('resultOf names the people who got no e-mail of a partly sent run', () => {
    const reasons = new Map([[INACTIVE, ['Ana', 'Bia', 'Caio', 'Davi']]])
    const trouble = `Ana, Bia, Caio e mais 1: ${INACTIVE}`
    const result = resultOf(running, { enviadas: 1, puladas: 4, falhas: 0 }, reasons)
    expect(result).toEqual({ estado: 'PARCIAL', frase: trouble, trouble })
  })

  test('resultOf notifies nobody of what the recipients chose', () => {
    const result = resultOf(running, { enviadas: 1, puladas: 1, falhas: 0 }, new Map([[LEFT, ['Ana']]]))
    expect(result).toEqual({ estado: 'PARCIAL', frase: null, trouble: null })
  })

  test('resultOf says why no e-mail was sent, and notifies of what no recipient chose', () => {
    const reasons = new Map([
      [LEFT, ['Ana']],
      [LOST_PDF_PASSWORD, ['Bia']],
    ])
    const trouble = `Bia: ${LOST_PDF_PASSWORD}`
    const frase = `Nada foi enviado. Ana: ${LEFT} ${trouble}`
    expect(resultOf(running, { enviadas: 0, puladas: 2, falhas: 0 }, reasons)).toEqual({
      estado: 'NAO_ENVIADA',
      frase,
      trouble,
    })
    expect(resultOf(running, { enviadas: 0, puladas: 1, falhas: 1 }, reasons)).toEqual({
      estado: 'FALHOU',
      frase,
      trouble,
    })
  })
})
