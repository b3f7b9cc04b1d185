import { expect, test } from 'vitest'
import { HOME, safeDestination } from './destination.ts'

test.each([
  '/telemedicina',
  '/relatorio?pagina=2#topo',
  '/relatorio-embed/a%2Fb/c/d',
  '/x?volta=https://outro.com',
])('the destination follows the path %j', (path) => {
  expect(safeDestination(path)).toBe(path)
})

test.each([
  undefined,
  null,
  7,
  '',
  '/',
  'telemedicina',
  '//outro.com',
  '/\\outro.com',
  '\\\\outro.com',
  '/\t/outro.com',
  '/\n/outro.com',
  '/a\\b',
  'https://outro.com/',
  'javascript:alert(1)',
])('the destination goes home instead of following %j', (wanted) => {
  expect(safeDestination(wanted)).toBe(HOME)
})
