import type { Incident } from '@bi-manager/contract'
import { expect, test } from 'vitest'
import { pendingNotificationsOf, sortIncidents, statusOf, termInWords } from './incident-status.ts'

const incident = (fields: Partial<Incident> = {}): Incident => ({
  id: 1,
  titulo: 'T',
  conhecido_em: '2026-06-12T12:00:00.000Z',
  ocorrido_em: null,
  descricao: 'D',
  dados_afetados: 'D',
  titulares_afetados: null,
  gravidade: 'medio',
  exige_comunicacao: true,
  medidas: null,
  comunicado_anpd_em: null,
  comunicado_titulares_em: null,
  motivo_sem_comunicacao: null,
  encerrado_em: null,
  prazo: '2026-06-18T02:59:59.999Z',
  fora_do_prazo: false,
  registrado_por: 'Rita',
  idAutor: 5,
  registrado_em: '2026-06-12T12:00:00.000Z',
  versao: 1,
  ...fields,
})
const notifiedAt = '2026-06-15T12:00:00.000Z'
const at = (text: string) => new Date(`${text}-03:00`)

test.each([
  ['2026-06-12T10:00', {}, 'calm', 'Faltam 3 dias úteis e 14 h'],
  ['2026-06-14T10:00', {}, 'calm', 'Faltam 3 dias úteis'],
  ['2026-06-16T10:00', {}, 'calm', 'Falta 1 dia útil e 14 h'],
  ['2026-06-17T10:00', {}, 'soon', 'Faltam 14 h'],
  ['2026-06-17T22:50', {}, 'soon', 'Falta 1 h 10 min'],
  ['2026-06-17T23:40', {}, 'soon', 'Faltam 20 min'],
  // The deadline passed while the page was open, so the server's flag is still false.
  ['2026-06-18T00:00', {}, 'late', 'Fora do prazo'],
  ['2026-06-16T10:00', { fora_do_prazo: true, comunicado_anpd_em: notifiedAt }, 'late', 'Fora do prazo'],
  [
    '2026-06-30T10:00',
    { comunicado_anpd_em: notifiedAt, comunicado_titulares_em: notifiedAt },
    'done',
    'Comunicado no prazo',
  ],
  [
    '2026-06-30T10:00',
    { comunicado_anpd_em: notifiedAt, comunicado_titulares_em: notifiedAt, fora_do_prazo: true },
    'late',
    'Comunicado fora do prazo',
  ],
  ['2026-06-30T10:00', { exige_comunicacao: false }, 'done', 'Não exige comunicação'],
] as const)('statusOf at %s with %j is %s: %s', (now, fields, tone, text) => {
  expect(statusOf(incident(fields), at(now))).toEqual({ tone, text })
})

test('pendingNotificationsOf lists the parties that still have to be notified', () => {
  expect(pendingNotificationsOf(incident())).toEqual(['a ANPD', 'as pessoas afetadas'])
  expect(pendingNotificationsOf(incident({ comunicado_anpd_em: notifiedAt }))).toEqual([
    'as pessoas afetadas',
  ])
  expect(pendingNotificationsOf(incident({ exige_comunicacao: false }))).toEqual([])
})

test('sortIncidents sorts open incidents by deadline, notified ones last, closed ones newest first', () => {
  const { open, closed } = sortIncidents([
    incident({ id: 1, prazo: '2026-06-20T00:00:00.000Z' }),
    incident({ id: 2, encerrado_em: notifiedAt, conhecido_em: '2026-01-01T00:00:00.000Z' }),
    incident({ id: 3, prazo: '2026-06-18T00:00:00.000Z' }),
    incident({ id: 4, exige_comunicacao: false, prazo: '2026-06-01T00:00:00.000Z' }),
    incident({ id: 5, encerrado_em: notifiedAt, conhecido_em: '2026-02-01T00:00:00.000Z' }),
  ])
  expect([open.map(({ id }) => id), closed.map(({ id }) => id)]).toEqual([
    [3, 1, 4],
    [5, 2],
  ])
})

test('termInWords writes the deadline of a complete instant only', () => {
  expect(termInWords('2026-06-12T12:00:00.000Z')).toBe('até 17/06/2026 23:59')
  expect(termInWords('2026-06-12T')).toBeUndefined()
})
