import { describe, expect, test } from 'vitest'
import { faultsOf, reportingDeadline } from './incident.rules.ts'

const known = '2026-06-12T12:00:00.000Z'
// A Friday: the term ends with Wednesday, which in UTC is Thursday at 02:59:59.999.
const term = '2026-06-18T02:59:59.999Z'
const after = '2026-06-18T03:00:00.000Z'
const now = new Date('2026-06-20T12:00:00.000Z')

describe('clockOf', () => {
  const late = (
    anpd: string | null,
    people: string | null,
    { at = now, must = true }: { at?: Date; must?: boolean } = {},
  ) =>
    reportingDeadline(
      {
        conhecido_em: known,
        comunicado_anpd_em: anpd,
        comunicado_titulares_em: people,
        exige_comunicacao: must,
      },
      at,
    )

  test('clockOf counts both reports as in time up to the last millisecond of the term', () => {
    expect(late(term, term)).toEqual({ prazo: term, fora_do_prazo: false })
    expect(late(term, after).fora_do_prazo).toBe(true)
    expect(late(after, term).fora_do_prazo).toBe(true)
  })

  test('clockOf counts a missing report as late once the term is over', () => {
    expect(late(null, null, { at: new Date(term) }).fora_do_prazo).toBe(false)
    expect(late(null, null).fora_do_prazo).toBe(true)
    expect(late(term, null).fora_do_prazo).toBe(true)
  })

  test('clockOf never counts an incident as late that need not be reported', () => {
    expect(late(null, null, { must: false }).fora_do_prazo).toBe(false)
  })
})

describe('faultsOf', () => {
  const draft = {
    titulo: 'T',
    conhecido_em: known,
    descricao: 'D',
    dados_afetados: 'D',
    gravidade: 'alto' as const,
    exige_comunicacao: true,
  }

  test('faultsOf accepts a complete draft', () => {
    expect(faultsOf(draft, now)).toEqual({})
    const whole = { ...draft, ocorrido_em: known, comunicado_anpd_em: known, comunicado_titulares_em: known }
    expect(faultsOf({ ...whole, encerrado_em: now.toISOString() }, now)).toEqual({})
  })

  test('faultsOf refuses times out of order or in the future', () => {
    const before = '2026-06-12T11:59:59.999Z'
    expect(
      faultsOf({ ...draft, ocorrido_em: '2026-06-12T12:00:01.000Z', comunicado_anpd_em: before }, now),
    ).toEqual({
      ocorrido_em: 'Não pode ser depois do conhecimento.',
      comunicado_anpd_em: 'Não pode ser antes do conhecimento.',
    })
    expect(faultsOf({ ...draft, conhecido_em: '2026-06-20T12:05:01.000Z' }, now)).toEqual({
      conhecido_em: 'Esta data ainda não chegou.',
    })
    expect(faultsOf({ ...draft, conhecido_em: '2026-06-20T12:04:00.000Z' }, now)).toEqual({})
    expect(faultsOf({ ...draft, ocorrido_em: '0026-06-12T12:00:00.000Z' }, now)).toEqual({
      ocorrido_em: 'Confira o ano.',
    })
  })

  test('faultsOf refuses to close an incident that was not reported, unless a reason is given', () => {
    const encerrado_em = now.toISOString()
    expect(Object.keys(faultsOf({ ...draft, encerrado_em }, now))).toEqual([
      'comunicado_anpd_em',
      'comunicado_titulares_em',
    ])
    const untold = { ...draft, exige_comunicacao: false, encerrado_em }
    expect(faultsOf(untold, now)).toEqual({
      motivo_sem_comunicacao: 'Antes de encerrar, diga por que não se comunica.',
    })
    expect(faultsOf({ ...untold, motivo_sem_comunicacao: 'Dados cifrados.' }, now)).toEqual({})
  })
})
