import type { Kiosk } from '@bi-manager/contract'
import { expect, test } from 'vitest'
import { pagesText, screenStateOf, typedCode } from './kiosk-texts.ts'
import { draftOf, movedPages, newPage, valuesOf } from './kiosk-values.ts'

const page = {
  idTelaoPagina: 1,
  idRelatorio: 7,
  nomeRelatorio: 'Custos',
  pagina: 'p2',
  tituloPagina: 'Detalhes',
  segundos: 20,
  impedimento: null,
}
const kiosk: Kiosk = {
  idTelao: 3,
  nome: 'Recepção',
  paginas: [page, { ...page, idTelaoPagina: 2, idRelatorio: null, impedimento: 'O relatório foi excluído.' }],
  aparencia: 'ESCURO',
  ativo: true,
  validadeDias: 90,
  usuarioIdentidade: null,
  identidadeRls: null,
  redes: [],
  conectadaEm: '2026-03-01T12:00:00.000Z',
  conectadaPor: 'Ana',
  dispositivo: null,
  vistaEm: null,
  expiraEm: '2026-05-30T12:00:00.000Z',
  versao: 1,
}

test('a saved kiosk is sent without the page of a deleted report', () => {
  expect(draftOf(valuesOf(kiosk))).toMatchObject({
    nome: 'Recepção',
    paginas: [{ idRelatorio: 7, pagina: 'p2', tituloPagina: 'Detalhes', segundos: 20 }],
    aparencia: 'ESCURO',
    validadeDias: 90,
  })
  expect(valuesOf(kiosk).paginas[1]).toMatchObject({ excluido: 'Custos', relatorio: null })
})

test('networks are typed one a line, and sent as a list', () => {
  const values = valuesOf({ ...kiosk, redes: ['192.0.2.0/24', '10.0.0.1'] })
  expect(values.redes).toBe('192.0.2.0/24\n10.0.0.1')
  expect(draftOf({ ...values, redes: ' 192.0.2.0/24,\n2001:db8::/32 ' }).redes).toEqual([
    '192.0.2.0/24',
    '2001:db8::/32',
  ])
})

test('pages move by one step, and a new one has a key of its own and the last seconds', () => {
  const { paginas } = valuesOf(kiosk)
  expect(movedPages(paginas, 0, 1).map(({ chave }) => chave)).toEqual([2, 1])
  expect(movedPages(paginas, 0, -1)).toBe(paginas)
  const added = newPage(paginas)
  expect([added.chave, added.segundos]).toEqual([-1, '20'])
  expect(newPage([...paginas, added]).chave).toBe(-2)
})

test('the form says how the screen is', () => {
  const at = (iso: string, fields: Partial<Kiosk> = {}) =>
    screenStateOf({ ...kiosk, ...fields }, Date.parse(iso))
  expect(at('2026-03-01T12:01:00Z')).toBe('NO_AR')
  expect(at('2026-03-01T12:05:00Z')).toBe('SEM_SINAL')
  expect(at('2026-03-01T12:05:00Z', { vistaEm: '2026-03-01T12:04:00Z' })).toBe('NO_AR')
  expect(at('2026-03-01T12:01:00Z', { ativo: false })).toBe('INATIVO')
  expect(at('2026-06-01T12:00:00Z')).toBe('VENCIDA')
  expect(at('2026-03-01T12:01:00Z', { conectadaEm: null, expiraEm: null })).toBe('SEM_TELA')
  expect(pagesText(kiosk)).toBe('2 páginas, 1 fora da rotação')
})

test('the form shows a typed code as the screen shows it', () => {
  expect(typedCode('bcdf ghjkl')).toBe('BCDF-GHJK')
  expect(typedCode('bcd')).toBe('BCD')
})
