import type { Announcement } from '@bi-manager/contract'
import { expect, test } from 'vitest'
import { draftOf, readText, stateOf, valuesOf } from './announcement-values.ts'

const announcement: Announcement = {
  idAviso: 1,
  titulo: 'Parada',
  texto: 'Às 22h',
  publico: 'PERFIS',
  forma: 'SINO',
  versao: 1,
  manutencao: false,
  lidos: 1,
  destinatarios: 3,
  perfis: [{ idPerfil: 7, nomePerfil: 'Gestão' }],
  inicio: '2026-03-10T17:30:00.000Z',
  fim: '2026-03-11T02:00:00.000Z',
}

test('the form edits the period in the time of Brasília', () => {
  const values = valuesOf(announcement)
  expect([values.inicio, values.fim]).toEqual(['2026-03-10T14:30', '2026-03-10T23:00'])
  expect(draftOf(values)).toEqual({
    titulo: 'Parada',
    texto: 'Às 22h',
    publico: 'PERFIS',
    forma: 'SINO',
    manutencao: false,
    inicio: announcement.inicio,
    fim: announcement.fim,
    idPerfis: [7],
  })
  expect(draftOf({ ...values, publico: 'TODOS' }).idPerfis).toEqual([])
})

test('a new announcement lasts a week from now', () => {
  const { inicio, fim } = draftOf(valuesOf(undefined))
  expect(Date.parse(fim) - Date.parse(inicio)).toBe(7 * 86_400_000)
})

test('an announcement is on air from its start until just before its end', () => {
  const [start, end] = [Date.parse(announcement.inicio), Date.parse(announcement.fim)]
  expect([start - 1, start, end - 1, end].map((now) => stateOf(announcement, now))).toEqual([
    'AGENDADO',
    'NO_AR',
    'NO_AR',
    'TERMINADO',
  ])
})

test('readText says how many of the audience have read it', () => {
  expect(readText(announcement)).toBe('1 de 3 (33%)')
  expect(readText({ lidos: 0, destinatarios: 0 })).toBe('0 de 0')
  expect(readText({ lidos: 1_999, destinatarios: 2_000 })).toBe('1.999 de 2.000 (99%)')
})
